import { MCP_PATH } from '#accounts/auth/resources.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { SERVICE } from '#core/service.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import { CARD_PATH } from '#surfaces/a2a/paths.ts';
import { SKILLS_ROOT } from '#surfaces/agent-skills/skills-index.ts';
import { type InteropSite, offers } from '#surfaces/interop/site.ts';
import type { documentsContract } from './contract.ts';

/** GET /.well-known/ai-catalog.json: what this host offers to agents, each with the document that describes it. */
export const getAiCatalog =
  (site: InteropSite, { skills }: Pick<SkillStore, 'skills'>): Handler<typeof documentsContract.getAiCatalog> =>
  () => {
    const { base_url } = site;
    const urn = (space: string, name: string) => `urn:air:${new URL(base_url).hostname}:${space}:${name}`;
    const server = {
      identifier: urn('mcp', SERVICE.name),
      displayName: `${SERVICE.title} over MCP`,
      type: 'application/mcp-server-card+json',
      url: `${base_url}${MCP_PATH}/server-card`,
    };
    const agent = {
      identifier: urn('agents', 'core-agent'),
      displayName: `${SERVICE.title} core agent`,
      type: 'application/a2a-agent-card+json',
      url: `${base_url}${CARD_PATH}`,
    };
    const entries = [
      ...(offers(site, MCP_PATH) ? [server] : []),
      ...(offers(site, CARD_PATH) ? [agent] : []),
      {
        identifier: urn('api', SERVICE.name),
        displayName: `${SERVICE.title} API`,
        type: 'application/openapi+yaml',
        url: `${base_url}/api/schema`,
      },
      ...skills.map(({ name, description }) => ({
        identifier: urn('skills', name),
        displayName: name,
        description,
        type: 'application/ai-skills+md',
        url: `${base_url}${SKILLS_ROOT}/${name}/SKILL.md`,
      })),
    ];
    const host = { displayName: SERVICE.title };
    const catalog = { specVersion: '1.0', host, entries };
    return json(catalog, { media_type: 'application/ai-catalog+json', cache_control: 'public, max-age=300' });
  };

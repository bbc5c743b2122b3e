import type { Handler } from '#core/http/operation.ts';
import { SERVICE } from '#core/service.ts';
import type { SkillShelf } from '#runtime/skills/load-skills.ts';
import type { docsContract } from './contract.ts';
import type { Site } from './describe-index.ts';
import { once } from './once.ts';

/** In the form of llms.txt: a title, a summary, sections of links with notes, and what can be left out at the end. */

type Skills = Pick<SkillShelf, 'skills'>;
type Link = [name: string, path: string, note: string];

export const getLlmsTxt = (site: Site, shelf: Skills): Handler<typeof docsContract.getLlmsTxt> => {
  const text = once(() => render(site, shelf));
  return () => ({ media_type: 'text/plain; charset=utf-8', body: text(), encoded: text.encoded });
};

const START: Link[] = [
  ['API documentation', '/api/docs.md', 'first steps, every operation with an example, every problem code'],
  ['OpenAPI 3.1 document', '/api/schema', 'the contract in YAML'],
  ['Root index', '/api', 'the parts of the service as JSON'],
  [
    'Tools for models',
    '/mcp/tools',
    'what the MCP endpoint at /mcp/jsonrpc offers, each with its schemas and an example; begin with registry_search',
  ],
];

const CATALOGUE: Link[] = [
  [
    'Marketplace',
    '/api/marketplace/listings',
    'capabilities, each once however many list it, with what is published here; takes search, listing_type, sort, limit',
  ],
  [
    'Skills catalogue',
    '/api/marketplace/skills.md',
    'listings of type skill in Markdown; takes search, tag, limit, offset',
  ],
  [
    'Registry',
    '/api/marketplace/registry',
    'listings of eight providers as JSON; takes search, tag, sort, limit, offset',
  ],
  ['Servers', '/v0.1/servers', 'servers of all providers in the form of the MCP registry; takes search, cursor, limit'],
  ['Registry totals', '/api/marketplace/registry/stats', 'how many listings there are, by provider, type and class'],
];

const OPTIONAL: Link[] = [
  ['Sync status', '/api/marketplace/registry/sync', 'when each provider was last read'],
  [
    'Skills index',
    '/.well-known/agent-skills/index.json',
    'the skills with their digests, for clients that install them',
  ],
  [
    'Agent card',
    '/.well-known/agent-card.json',
    'the core agent over A2A 1.0: it finds and runs what you ask it for; needs an account',
  ],
  ['AI catalogue', '/.well-known/ai-catalog.json', 'what this host offers to agents'],
  ['Sitemap', '/sitemap.xml', 'every listing'],
  ['Contract version', '/api/schema/version', 'to tell drift between a client and the service'],
];

function render({ operations, public_url }: Site, { skills }: Skills): string {
  const base = public_url ?? '';
  const paths = operations.flatMap((it) => [it.path, ...(it.also ?? [])]);
  const offered = (links: Link[]): Link[] => links.filter(([, path]) => paths.includes(path));
  const own = skills.map(
    ({ name, description }): Link => [name, `/api/skills/${encodeURIComponent(name)}/SKILL.md`, oneLine(description)],
  );
  return [
    `# ${SERVICE.title}\n`,
    `> ${SERVICE.description}\n`,
    'Reading needs no account. A listing has a Markdown form: add `/md` to its URL, or send `Accept: text/markdown`.\n',
    section('Start here', offered(START), base),
    section('Catalogue', offered(CATALOGUE), base),
    section('Skills of this service', own, base),
    section('Optional', offered(OPTIONAL), base),
  ].join('\n');
}

const section = (title: string, links: Link[], base: string): string =>
  `## ${title}\n\n${links.map(([name, path, note]) => `- [${name}](${base}${path}): ${note}`).join('\n')}\n`;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

import type { Handler } from '#core/http/operation.ts';
import { SERVICE } from '#core/service.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { docsContract } from './contract.ts';
import type { Site } from './describe-index.ts';
import { once } from './once.ts';

/** In the llms.txt format: a title, a summary, sections of links with notes, and an optional section at the end. */

type Skills = Pick<SkillStore, 'skills'>;
type Link = [name: string, path: string, note: string];

export function getLlmsTxt(site: Site, skill_store: Skills): Handler<typeof docsContract.getLlmsTxt> {
  const text = once(() => render(site, skill_store));
  return () => ({ media_type: 'text/plain; charset=utf-8', body: text(), encoded: text.encoded });
}

const START: Link[] = [
  ['API documentation', '/api/docs.md', 'first steps, all operations with examples, all error codes'],
  ['OpenAPI 3.1 document', '/api/schema', 'the OpenAPI document in YAML'],
  ['Whole documentation', '/llms-full.txt', 'all guides and the API documentation as one text'],
  ['Root index', '/api', 'the parts of the service as JSON'],
  [
    'Tools for models',
    '/mcp/tools',
    'tools of the MCP endpoint at /mcp/jsonrpc, with schemas and examples; start with registry_search',
  ],
];

const CATALOG: Link[] = [
  [
    'Marketplace',
    '/api/marketplace/listings',
    'deduplicated capabilities of all providers and those published here; parameters search, listing_type, sort, limit',
  ],
  [
    'Skills catalog',
    '/api/marketplace/skills.md',
    'listings of type skill in Markdown; parameters search, tag, limit, offset',
  ],
  [
    'Registry',
    '/api/marketplace/registry',
    'listings of eight providers as JSON; parameters search, tag, sort, limit, offset',
  ],
  ['Servers', '/v0.1/servers', 'servers of all providers in the MCP registry format; parameters search, cursor, limit'],
  ['Registry totals', '/api/marketplace/registry/stats', 'number of listings by provider, type and class'],
];

const OPTIONAL: Link[] = [
  ['Sync status', '/api/marketplace/registry/sync', 'last sync of each provider'],
  ['Skills index', '/.well-known/agent-skills/index.json', 'skills with digests, for clients that install them'],
  [
    'Agent card',
    '/.well-known/agent-card.json',
    'the core agent over A2A 1.0: finds and runs capabilities on request; requires an account',
  ],
  ['AI catalog', '/.well-known/ai-catalog.json', 'interfaces of this host for agents'],
  ['Sitemap', '/sitemap.xml', 'every listing'],
  ['Contract version', '/api/schema/version', 'to detect contract changes'],
];

function render({ operations, public_url }: Site, { skills }: Skills): string {
  const base = public_url ?? '';
  const paths = operations.flatMap((operation) => [operation.path, ...(operation.also ?? [])]);
  const offered = (links: Link[]): Link[] => links.filter(([, path]) => paths.includes(path));
  const own = skills.map(
    ({ name, description }): Link => [name, `/api/skills/${encodeURIComponent(name)}/SKILL.md`, oneLine(description)],
  );
  return [
    `# ${SERVICE.title}\n`,
    `> ${SERVICE.description}\n`,
    'Reading requires no account. For a listing in Markdown, add `/md` to its URL or send `Accept: text/markdown`.\n',
    section('Start here', offered(START), base),
    section('Catalog', offered(CATALOG), base),
    section('Built-in skills', own, base),
    section('Optional', offered(OPTIONAL), base),
  ].join('\n');
}

const section = (title: string, links: Link[], base: string): string =>
  `## ${title}\n\n${links.map(([name, path, note]) => `- [${name}](${base}${path}): ${note}`).join('\n')}\n`;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

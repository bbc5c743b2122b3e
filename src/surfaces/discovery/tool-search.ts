import type { Kysely } from 'kysely';
import { itemPath } from '#catalog/items/item-path.ts';
import type { RunnableReason } from '#catalog/items/runnable.ts';
import { isPackage, type ProbeTarget } from '#catalog/probes/probe-target.ts';
import { countTools, type FoundTool, pageOfTools } from '#catalog/probes/read-probes.ts';
import type { Schema } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import type { Tool } from '#core/tools/tool.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import { type RankDeps, rankTools } from './rank-tools.ts';
import { type DiscoveredTool, OWN_SERVER, OWN_SKILLS, splitRef } from './shapes.ts';

/** Lists tools of three kinds, or ranks them for a search: those of this service, first-party skills, and those of probed servers. */

export interface ToolSearchDeps extends Pick<RankDeps, 'index'> {
  db: Kysely<Schema>;
  /** The MCP tools, loaded with the first search for tools. */
  tools(): Promise<readonly Tool[]>;
  skills: readonly Skill[];
  /** Why a skill cannot run here now; null if it can. */
  skillUnavailable(name: string): Promise<RunnableReason | null>;
  /** `url` is that of the MCP endpoint; `tasks_url` is where tasks are created. */
  own: { name: string; url: string; tasks_url: string; protocol_version: string; status: RunnableReason };
}

interface ToolQuery {
  search?: string | undefined;
  server?: string | undefined;
  limit: number;
  offset: number;
  /** Adds to each tool of a search how it was ranked, and what the operator's models did. */
  explain?: boolean;
}

interface FoundTools {
  items: DiscoveredTool[];
  total_count: number;
  models?: { meaning: string; reranking: string };
}

export type SearchTools = (query: ToolQuery) => Promise<FoundTools>;

export function searchTools(deps: ToolSearchDeps): SearchTools {
  const rank = rankTools(deps);
  return async ({ search = '', server, limit, offset, explain = false }) => {
    const isOwn = server === OWN_SERVER || server === OWN_SKILLS;
    const listing = server === undefined || isOwn ? null : splitRef(server);
    const own = listing === null ? await ownTools(deps, server) : [];
    if (search.trim() !== '') {
      const { total_count, found, aid } = await rank(search, { own, is_own: isOwn, listing, limit, offset });
      const items = found.map(({ tool, hit }) => {
        const shown = 'call' in tool ? tool : foundTool(deps, tool);
        return explain ? { ...shown, explain: { score: hit.score, ...defined({ aided: hit.aided }) } } : shown;
      });
      const models = explain && aid !== null ? { meaning: aid.meaning, reranking: aid.reranking } : undefined;
      return { items, total_count, ...defined({ models }) };
    }
    const items = own.slice(offset, offset + limit);
    if (isOwn) return { items, total_count: own.length };
    const [count, others] = await Promise.all([
      countTools(deps.db, listing),
      pageOfTools(deps.db, listing, limit - items.length, Math.max(0, offset - own.length)),
    ]);
    return { items: [...items, ...others.map((tool) => foundTool(deps, tool))], total_count: own.length + count };
  };
}

/** The MCP tools of this service, then its skills; `server` selects one of the two. */
async function ownTools(deps: ToolSearchDeps, server: string | undefined): Promise<DiscoveredTool[]> {
  const offered = [...(await deps.tools())].sort(byName).map((tool) => ownTool(deps, tool));
  if (server === OWN_SERVER) return offered;
  const skills = await skillTools(deps);
  return server === OWN_SKILLS ? skills : [...offered, ...skills];
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

const ownTool = ({ own }: ToolSearchDeps, { name, title, description, input, scope }: Tool): DiscoveredTool => ({
  name,
  title,
  description,
  input_schema: input as unknown as Record<string, unknown>,
  server: { id: OWN_SERVER, name: own.name, url: own.url, protocol_version: own.protocol_version, listings: [] },
  call: mcpCall(own.url, name),
  auth: scope === null ? 'none' : 'jwt',
  status: own.status,
  last_seen_at: null,
  capability: null,
});

const mcpCall = (endpoint: string, name: string): DiscoveredTool['call'] => ({
  protocol: 'mcp',
  endpoint,
  method: 'tools/call',
  params: { name },
});

const taskCall = (endpoint: string, params: Record<string, unknown>): DiscoveredTool['call'] => ({
  protocol: 'http',
  endpoint,
  method: 'POST',
  params,
});

const skillTools = ({ own, skills, skillUnavailable }: ToolSearchDeps): Promise<DiscoveredTool[]> =>
  Promise.all(
    skills.map(async ({ name, description, input_schema }): Promise<DiscoveredTool> => {
      const url = own.tasks_url;
      const capability = { kind: 'skill', ref: name } as const;
      return {
        name,
        title: name,
        description,
        input_schema,
        server: { id: OWN_SKILLS, name: `${own.name} skills`, url, protocol_version: null, listings: [] },
        call: taskCall(url, { capability }),
        auth: 'jwt',
        status: (await skillUnavailable(name)) ?? 'ok',
        last_seen_at: null,
        capability,
      };
    }),
  );

function foundTool({ own }: ToolSearchDeps, found: FoundTool): DiscoveredTool {
  const { name, title, description, input_schema, annotations, server, listings } = found;
  const target = JSON.parse(server.target) as ProbeTarget;
  const { url } = target;
  const [first] = listings;
  const ref = first === undefined ? server.host : `${first.provider_id}/${first.external_id}`;
  const capability = first === undefined ? null : ({ kind: 'listing', ref } as const);
  const fromPackage = isPackage(target);
  const said = server.server === null ? null : (JSON.parse(server.server) as { name: string });
  return {
    name,
    title,
    description,
    input_schema,
    ...defined({ annotations }),
    server: {
      id: ref,
      name: said?.name || server.host,
      url,
      protocol_version: server.protocol_version,
      listings: listings.map(({ provider_id, external_id }) => itemPath(provider_id, external_id)),
    },
    // A package has no address: it is started for each run.
    call: fromPackage ? taskCall(own.tasks_url, { capability, input: { tool: name } }) : mcpCall(url, name),
    auth: fromPackage ? 'jwt' : 'none',
    status: fromPackage && target.missing.length > 0 ? 'missing_env' : (server.reason as RunnableReason | null),
    last_seen_at: server.last_seen_at,
    capability,
  };
}

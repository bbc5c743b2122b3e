import { PROVIDERS } from '#catalog/items/kinds.ts';
import { findConnection, readTools } from '#connections/connections/connections.ts';
import { listPins } from '#connections/tools/pinned-tools.ts';
import { defined } from '#core/defined.ts';
import { quoted } from '#core/tools/words.ts';
import type { HarnessManifest, ServerEntry, SkillEntry } from '#runtime/harnesses/harness.ts';
import { variablesOf } from '#runtime/harnesses/manifest-servers.ts';
import { RIG_LIMITS } from '#runtime/rigs/rig.ts';
import type { PartFault } from '#runtime/rigs/rig-parts.ts';
import { isSkillName } from '#runtime/skills/skill.ts';
import type { RunCaller, Unavailable } from '../capability.ts';
import { skillOf } from './assemble.ts';
import type { RigDeps, RigSkill, RigTool } from './parts.ts';
import { assembleServer } from './servers.ts';

/** The external parts of a third-party harness for its caller. Unavailable parts are faults. */

export interface Assembling {
  deps: RigDeps;
  caller: RunCaller;
  manifest: HarnessManifest | null;
  faults: Unavailable[];
}

export interface HarnessInput {
  prompt?: string;
  message?: string;
  model?: string;
  connections?: Record<string, string>;
}

/** Of any JSON: the schema is checked when the task is created. */
export function inputOf(input: unknown): HarnessInput {
  const given = recordOf(input);
  const connections = Object.entries(recordOf(given.connections)).filter(([, value]) => typeof value === 'string');
  return {
    ...defined({ model: typeof given.model === 'string' ? given.model : undefined }),
    connections: Object.fromEntries(connections) as Record<string, string>,
  };
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** External skills are pinned by digest, so that the digest of the harness covers everything that runs. */
export async function namedSkills({ deps, caller, manifest, faults }: Assembling): Promise<RigSkill[]> {
  const found: RigSkill[] = [];
  for (const { ref, digest } of manifest?.skills ?? []) {
    if (ref === null) continue;
    const full = fullRef(ref);
    if (full === null || digest === null) {
      const why = full === null ? 'is not known here' : 'has no digest, so it is not pinned';
      faults.push({ reason: 'unsupported', detail: `The skill ${quoted(ref, 200)} of its harness.yaml ${why}.` });
      continue;
    }
    const skill = await skillOf(deps, { ref: full, digest }, caller);
    if ('found' in skill) found.push(skill.found);
    else faults.push({ reason: 'unreachable', detail: skill.fault.detail });
  }
  const env = missingEnv(manifest);
  if (env.length > 0)
    faults.push({
      reason: 'missing_env',
      detail: `It requires the environment variables ${env.join(', ')}, which it does not get here.`,
    });
  return found;
}

function fullRef(ref: NonNullable<SkillEntry['ref']>): string | null {
  if (/^(?:listing|capability)\//.test(ref)) return ref;
  const [first = '', ...rest] = ref.split('/');
  if (first === 'skill' && isSkillName(rest.join('/'))) return ref;
  return (PROVIDERS as readonly string[]).includes(first) && rest.length > 0 ? `listing/${ref}` : null;
}

/** Names that it cannot do without; those for its servers are kept in connections. */
function missingEnv(manifest: HarnessManifest | null): string[] {
  const ofServers = new Set(manifest?.mcp_servers.flatMap(variablesOf));
  const wanted =
    manifest?.env.filter(
      (variable) => variable.required && variable.default === null && !ofServers.has(variable.name),
    ) ?? [];
  return wanted.map(({ name }) => name);
}

/**
 * Tools of its servers, with connections that the caller names in the input: a third-party harness cannot use any other
 * connection. Tools that harness.yaml denies or wants confirmed are left out, because nobody can be asked.
 */
export async function serverTools(of: Assembling, { connections = {} }: HarnessInput): Promise<RigTool[]> {
  const { manifest, faults } = of;
  const { ask = [], deny = [] } = manifest?.permissions ?? {};
  const withheld = new Set([...ask, ...deny]);
  const tools: RigTool[] = [];
  for (const server of manifest?.mcp_servers ?? []) {
    const id = Object.hasOwn(connections, server.name) ? connections[server.name] : undefined;
    const found = await toolsOf(of, server, id);
    if (!Array.isArray(found)) faults.push(found);
    else tools.push(...found.filter(({ name }) => !formsOf(server.name, name).some((form) => withheld.has(form))));
  }
  return tools.slice(0, RIG_LIMITS.tools);
}

/** How permissions may name a tool, alone or with all of its server. */
const formsOf = (server: string, tool: string): string[] => [
  tool,
  server,
  '*',
  `${server}.${tool}`,
  `${server}.*`,
  `mcp__${server}`,
  `mcp__${server}__${tool}`,
];

async function toolsOf(of: Assembling, server: ServerEntry, id: string | undefined): Promise<RigTool[] | Unavailable> {
  const { deps, caller } = of;
  const { name, url, command, ref } = server;
  const said = quoted(name, 100);
  if (command !== null)
    return { reason: 'unsupported', detail: `Its server ${said} is a program. Third-party programs are not started.` };
  const where = url === null ? (ref ?? '') : hostOf(url);
  const advice = `connect to it, and name the connection as connections.${name} in the input`;
  const blocked = (why: string): Unavailable => ({
    reason: 'auth_needed',
    detail: `It works with the server ${said} (${quoted(where, 200)}): ${why}.`,
  });
  if (id === undefined || caller.user_id === null) return blocked(advice);
  const connection = await findConnection(deps.db, { user_id: caller.user_id, id });
  if (connection === undefined) return blocked(`you have no connection ${quoted(id, 60)}; ${advice}`);
  const { provider_id, external_id } = connection;
  const isSame =
    url === null
      ? [`listing/${provider_id}/${external_id}`, `${provider_id}/${external_id}`].includes(ref ?? '')
      : connection.url === url;
  if (!isSame) return blocked('the connection that the input names is to another server');
  const allow = server.allow ?? (await namesOf(deps, id));
  if (allow.length === 0) return blocked('the tools of that connection were never listed; list them once');
  const faults: PartFault[] = [];
  const asked = { name, ref: '', digest: null, connection: id, allow: allow.slice(0, RIG_LIMITS.tools) };
  const found = await assembleServer(deps, asked, { ...caller, user_id: caller.user_id }, faults);
  if ('fault' in found) return blocked(found.fault.detail);
  const [fault] = faults;
  return fault === undefined ? found.found.tools : { reason: 'unreachable', detail: fault.detail };
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** All of its tools as last read, otherwise those that were used. */
async function namesOf({ db }: RigDeps, connectionId: string): Promise<string[]> {
  const read = await readTools(db, connectionId);
  return read === undefined ? [...(await listPins(db, connectionId)).keys()] : read.tools.map(({ name }) => name);
}

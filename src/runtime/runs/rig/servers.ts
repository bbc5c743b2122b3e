import canonicalize from 'canonicalize';
import { DETAIL_WAITS_MS } from '#catalog/details/fetch-details.ts';
import { serverOf } from '#catalog/install/server-of.ts';
import { findLiveListing } from '#catalog/items/live-listing.ts';
import { findConnection } from '#connections/connections/connections.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import { quoted } from '#core/tools/words.ts';
import { isMarketplaceRef, marketplaceRef, OWN_SERVER, type RigServer } from '#runtime/rigs/rig.ts';
import type { PartFault, ServerPart } from '#runtime/rigs/rig-parts.ts';

import type { RunCaller } from '../capability.ts';
import { mcpToolset } from '../mcp.ts';
import { packagedToolset } from '../packaged-server.ts';
import { ownTool } from './own-tool.ts';
import type { RigDeps } from './parts.ts';
import { faulty, mismatch, type Part, type RigTool } from './parts.ts';

/** A server of a rig with those of its tools that the rig allows. */

type Caller = RunCaller & { user_id: string };

interface AssembledServer {
  part: ServerPart;
  tools: RigTool[];
}

/** A missing tool is a separate fault; the other tools of the server are still reported. */
export async function assembleServer(
  deps: RigDeps,
  server: RigServer,
  caller: Caller,
  faults: PartFault[],
): Promise<Part<AssembledServer>> {
  const part = `server ${server.name}`;
  const find = await finderOf(deps, server, caller);
  if ('fault' in find) return find;
  const tools: RigTool[] = [];
  for (const name of server.allow) {
    const tool = await find.found(name);
    if ('found' in tool) tools.push(tool.found);
    else faults.push(tool.fault);
  }
  const pins = tools.map(({ name, capability }) => ({ name, schema_hash: capability.digest }));
  const digest = `sha256:${sha256(Buffer.from(canonicalize(pins) as string))}`;
  if (server.digest !== null && server.digest !== digest && tools.length === server.allow.length)
    return faulty('digest_mismatch', part, mismatch(part, server.digest, digest));
  const { name, ref, connection } = server;
  return { found: { tools, part: { name, ref, connection, digest, tools: pins } } };
}

type FindTool = (name: string) => Promise<Part<RigTool>>;

async function finderOf(deps: RigDeps, server: RigServer, caller: Caller): Promise<Part<FindTool>> {
  if (server.connection !== '') return ofConnection(deps, server, caller);
  if (server.ref === OWN_SERVER) return { found: ofOwn(await deps.ownTools(), server) };
  if (isMarketplaceRef(server.ref)) return ofMarketplace(deps, server, caller);
  return ofListing(deps, server, caller);
}

/** The source of a marketplace listing; the rig keeps its author's reference. */
async function ofMarketplace(deps: RigDeps, server: RigServer, caller: Caller): Promise<Part<FindTool>> {
  const part = `server ${server.name}`;
  try {
    const capability = await deps.resolve(marketplaceRef(server.ref), caller);
    if (capability.server !== undefined)
      return ofListing(deps, { ...server, ref: `listing/${capability.server.listing}` }, caller);
    const unavailable = await capability.whyUnavailable();
    return faulty('server_unready', part, unavailable?.detail ?? `${server.ref} is not an MCP server.`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return faulty(isGone(error) ? 'server_gone' : 'server_unready', part, error.message);
  }
}

const isGone = ({ kind }: Problem): boolean => kind === 'not_found' || kind === 'gone';

async function ofConnection({ db, resolve }: RigDeps, server: RigServer, caller: Caller): Promise<Part<FindTool>> {
  const part = `server ${server.name}`;
  const { name: named, connection: id, ref } = server;
  const connection = await findConnection(db, { user_id: caller.user_id, id });
  if (connection === undefined)
    return faulty('connection_unknown', part, `You have no connection ${quoted(id, 60)}. Connect to the server first.`);
  const { provider_id, external_id } = connection;
  if (ref !== '' && ref !== `listing/${provider_id}/${external_id}`)
    return faulty(
      'connection_unknown',
      part,
      `The connection ${namedConnection(connection)} is to another server than ${quoted(ref)}.`,
    );
  return {
    found: async (name) => {
      try {
        const capability = await resolve({ kind: 'connection', ref: `${id}/${name}` }, caller);
        const { description = '', input_schema } = capability;
        const schema = input_schema ?? { type: 'object' };
        return {
          found: { server: named, name, description, input_schema: schema, capability, inputFor: (args) => args },
        };
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return toolFault(server, name, error);
      }
    },
  };
}

type FoundConnection = NonNullable<Awaited<ReturnType<typeof findConnection>>>;

/** As its owner knows it: by its name, and the account that tells it from others at the same server. */
const namedConnection = ({ name, auth: { type, account } }: FoundConnection): string =>
  type !== 'oauth' || account === undefined ? quoted(name, 100) : `${quoted(name, 100)} (${quoted(account, 100)})`;

function toolFault({ name: server }: RigServer, name: string, problem: Problem): { fault: PartFault } {
  const part = `tool ${name} of ${server}`;
  const { kind, message } = problem;
  if (kind === 'not_found') return faulty('tool_gone', part, message);
  if (isProblem(problem, 'connections.tool_conflict', 'tool_changed', 'tool_added'))
    return faulty('tool_unaccepted', part, message);
  return faulty('server_unready', part, message);
}

const gone = ({ name: server }: RigServer, name: string): { fault: PartFault } =>
  faulty('tool_gone', `tool ${name} of ${server}`, `The server ${server} has no tool ${quoted(name, 128)} now.`);

function ofOwn(all: Awaited<ReturnType<RigDeps['ownTools']>>, server: RigServer): FindTool {
  const open = all.filter(({ scope, annotations }) => scope === null && annotations.read_only);
  return async (name) => {
    const tool = open.find((tool) => tool.name === name);
    return tool === undefined ? gone(server, name) : { found: ownTool(server.name, tool) };
  };
}

async function ofListing(deps: RigDeps, server: RigServer, { share }: Caller): Promise<Part<FindTool>> {
  const { db, clock, fetch, ensureDetail, packaged } = deps;
  const part = `server ${server.name}`;
  const [, provider = '', ...rest] = server.ref.split('/');
  try {
    const listed = await findLiveListing(db, { provider, external_id: rest.join('/') }, clock.now());
    const row = await ensureDetail(listed, DETAIL_WAITS_MS.use);
    const target = serverOf(row.install === null ? null : JSON.parse(row.install), packaged.refusal);
    if ('reason' in target) return faulty('server_unready', part, target.detail);
    const place = {
      kind: 'listing',
      ref: `${provider}/${row.external_id}`,
      name: row.name,
      version: row.version,
    } as const;
    const tools =
      target.transport === 'stdio'
        ? await packagedToolset(deps, place, target, share)
        : await mcpToolset({ fetch }, place, target);
    if (!(tools instanceof Map)) return faulty('server_unready', part, tools.detail);
    return {
      found: async (name) => {
        const capability = tools.get(name);
        if (capability === undefined) return gone(server, name);
        const { description = '', input_schema } = capability;
        const { properties } = input_schema as { properties: { arguments: Record<string, unknown> } };
        const inputFor = (args: Record<string, unknown>) => ({ tool: name, arguments: args });
        const about = { server: server.name, name, description, input_schema: properties.arguments };
        return { found: { ...about, capability, inputFor } };
      },
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return faulty(isGone(error) ? 'server_gone' : 'server_unready', part, error.message);
  }
}

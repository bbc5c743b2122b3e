import { lockUser, noSuchUser } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import { coreProblem } from '#core/errors.ts';
import { userShare } from '#core/fair-queue/share.ts';
import type { Handler, Input } from '#core/http/operation.ts';
import { newId } from '#core/ids.ts';
import type { PackageStep } from '#core/mcp/packaged-servers.ts';
import type { McpTransport } from '#core/mcp/target.ts';
import type { Problem } from '#core/problem/problem.ts';
import { type Connection, shownConnection } from './connection.ts';
import { countConnections, insertConnection, namesOf, saveTools } from './connections.ts';
import type { connectionsContract } from './contract.ts';
import type { ConnectionsDeps } from './deps.ts';
import { jsonOrEvents } from './event-reply.ts';
import { nameTaken, refusalOf, tooManyConnections } from './failures.ts';
import { grantedHosts } from './granted-hosts.ts';
import { type Place, placeOfAddress, placeOfListing, placeOfName, plainValues } from './place.ts';
import type { Look } from './probe.ts';
import type { LookOptions } from './seams.ts';

/** POST /api/sessions/connections */
export const createConnection =
  (deps: ConnectionsDeps): Handler<typeof connectionsContract.create> =>
  async (input) => {
    const { body, caller } = input;
    if ([body.url, body.listing, body.ref].filter((place) => place !== undefined).length !== 1) throw unclear();
    const { user_id } = caller;
    const made = (on_step: ((step: PackageStep) => void) | undefined, signal: AbortSignal) =>
      makeConnection(deps, { body, user_id, signal, on_step }).then(shownConnection);
    return jsonOrEvents(input, { log: deps.log, status: 201 }, (tell, signal) =>
      made((step) => tell('step', step), signal),
    );
  };

interface Making extends LookOptions {
  body: Input<typeof connectionsContract.create>['body'];
  user_id: string;
  signal: AbortSignal;
}

async function makeConnection(deps: ConnectionsDeps, { body, user_id, signal, on_step }: Making): Promise<Connection> {
  const { db, clock, config, look, storage, upstreams } = deps;
  const { name, transport = 'streamable-http', variables = {}, hosts = [] } = body;
  // Checked before any request is sent.
  if ((await countConnections(db, user_id)) >= config.per_user) throw tooManyConnections(config.per_user);
  await storage.require(db, user_id, 'connections');
  const asking = { ...deps, share: userShare(user_id), on_step };
  const place = await placeOf(asking, body, transport, signal);
  const values = plainValues(place.fields, variables, place.package);
  const granted = grantedHosts(place, hosts, deps.packaged);
  const draft = connectionAt(place, user_id, values, isoTime(clock.now()), granted);
  try {
    const looked = await look(draft, { signal, on_step });
    const refusal = looked.refusal ?? (looked.failure === null ? null : refusalOf(looked.failure));
    if (refusal !== null) throw refusal;
    return await store(deps, { ...draft, ...looked.edit }, name, looked);
  } catch (error) {
    // Ends the box that was started for it.
    upstreams.forget(draft.id);
    throw error;
  }
}

async function placeOf(
  deps: Parameters<typeof placeOfName>[0],
  { url, listing, ref }: Making['body'],
  transport: McpTransport,
  signal: AbortSignal,
): Promise<Place> {
  if (url !== undefined) return placeOfAddress(url, transport);
  return listing === undefined ? placeOfName(deps, ref as string, signal) : placeOfListing(deps, listing, signal);
}

function connectionAt(
  place: Place,
  user_id: string,
  values: Record<string, string>,
  now: string,
  package_hosts: string[] | null,
): Connection {
  const { fields, ...at } = place;
  return {
    id: newId(),
    user_id,
    ...at,
    status: 'pending',
    auth: { type: 'none', fields, values, stored: [], oauth: null },
    server_info: null,
    protocol_version: null,
    last_error: null,
    tools_read_at: null,
    created_at: now,
    last_used_at: null,
    package_hosts,
    package_seen: null,
  };
}

async function store(
  { db, clock, config, storage }: ConnectionsDeps,
  seen: Connection,
  askedName: string | undefined,
  { listing }: Look,
): Promise<Connection> {
  return db.transaction().execute(async (trx) => {
    if (!(await lockUser(trx, seen.user_id))) throw noSuchUser();
    if ((await countConnections(trx, seen.user_id)) >= config.per_user) throw tooManyConnections(config.per_user);
    await storage.require(trx, seen.user_id, 'connections', Buffer.byteLength(JSON.stringify(listing)));
    const names = await namesOf(trx, seen.user_id);
    if (askedName !== undefined && names.has(askedName)) throw nameTaken(askedName);
    const connection = { ...seen, name: askedName ?? freeName(seen.name, names) };
    await insertConnection(trx, connection);
    if (listing === null) return connection;
    const tools_read_at = isoTime(clock.now());
    await saveTools(trx, connection.id, listing, tools_read_at);
    return { ...connection, tools_read_at };
  });
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted} ${n}`;
  return name;
}

const unclear = (): Problem =>
  coreProblem(
    'http.invalid',
    'Send one of `url`, the URL of a server, `ref`, a name from any list, search or page, and `listing`.',
    { reason: 'input' },
  );

import { isoTime } from '#core/clock/clock.ts';
import type { McpAnswer, McpLimits, McpWork } from '#core/mcp/session.ts';
import { briefOf } from '#core/problem/problem.ts';
import type { ConnectionsBase } from './base.ts';
import type { Connection, PackageSeen } from './connection.ts';
import { updateConnection } from './connections.ts';
import { problemOf, refusedAccess } from './failures.ts';
import { seenPackage } from './package-seen.ts';
import { type ScrubberOf, scrubbed, scrubbedSession } from './scrub.ts';
import type { Carried, Credentials } from './seams.ts';
import type { PackageWatch, Upstreams } from './upstreams.ts';
import { refuseTakenDown } from './usable-connection.ts';

/** Runs work at a connection's server with its credentials, and stores the resulting status. */
export type UseServer = <T>(
  connection: Connection,
  limits: McpLimits,
  signal: AbortSignal | null,
  work: McpWork<T>,
  options?: UseOptions,
) => Promise<McpAnswer<T>>;

interface UseOptions extends PackageWatch {
  /** True if it was just checked that the connection may be used. */
  is_looked_at?: boolean;
}

interface ServersDeps extends Pick<ConnectionsBase, 'db' | 'clock'> {
  credentials: Credentials;
  upstreams: Upstreams;
  scrubberOf: ScrubberOf;
}

const TOUCH_EVERY_MS = 60_000;

/** Throws `connections.authorization_required` (`auth_required`) or `registry.gone` (`listing_taken_down`); failures of the server are returned. */
export const useServer =
  (deps: ServersDeps): UseServer =>
  async (connection, limits, signal, work, { is_looked_at = false, on_step, on_facts } = {}) => {
    const { db, clock, credentials, scrubberOf } = deps;
    // Also checked here for work that started earlier, such as the run of a rig or a refreshed tool list.
    if (!is_looked_at) await refuseTakenDown(db, connection);
    const call = { limits, signal, work, on_step, on_facts };
    for (let again = false; ; again = true) {
      const carried = await credentials.open(connection);
      const secrets = scrubberOf(carried, connection.id);
      const met = await callServer(deps, connection, { carried, secrets, call });
      if (met.ok) {
        await noteUse(db, connection, clock.now());
        return met;
      }
      const { status, challenge } = met.failure;
      const failure = refusedAccess(scrubbed(met.failure, secrets), connection.auth);
      const answer = { ...met, failure };
      if (failure.reason !== 'auth_needed' || (status !== 401 && status !== 403)) return answer;
      const refused = { status, www_authenticate: challenge, version: carried.token_version } as const;
      if (!again && (await credentials.refused(connection, refused)) === 'again') continue;
      // A 403 may concern this call only; OAuth decides elsewhere.
      if (status === 401 && connection.auth.type !== 'oauth')
        await updateConnection(db, connection.id, {
          status: 'auth_required',
          last_error: briefOf(problemOf(failure)),
        });
      return answer;
    }
  };

interface Call<T> extends PackageWatch {
  limits: McpLimits;
  signal: AbortSignal | null;
  work: McpWork<T>;
}

interface Prepared<T> {
  carried: Carried;
  secrets: ReturnType<ScrubberOf>;
  call: Call<T>;
}

/** Also stores what a package showed of itself when it was started. */
async function callServer<T>(
  { db, upstreams }: ServersDeps,
  connection: Connection,
  { carried, secrets, call }: Prepared<T>,
): Promise<McpAnswer<T>> {
  const { id, user_id, transport } = connection;
  const { secrets: _, ...sent } = carried;
  let seen: PackageSeen | null = null;
  const watch: PackageWatch = {
    on_step: call.on_step,
    on_facts: (facts) => {
      seen = seenPackage(connection.package_seen, facts);
      call.on_facts?.(facts);
    },
  };
  const work: McpWork<T> = (session) => call.work(scrubbedSession(session, secrets));
  const met = await upstreams.through({ ...sent, id, user_id, transport }, call.limits, call.signal, work, watch);
  if (seen !== null) await updateConnection(db, id, { package_seen: seen });
  return met;
}

async function noteUse(db: ServersDeps['db'], connection: Connection, nowMs: number): Promise<void> {
  const { id, auth, status, last_used_at } = connection;
  const isFresh = last_used_at !== null && Date.parse(last_used_at) > nowMs - TOUCH_EVERY_MS;
  // A required additional scope stays required, whatever else the token allows.
  const stays = status === 'ready' || (status === 'auth_required' && auth.type === 'oauth');
  if (isFresh && stays) return;
  const healed = stays ? {} : ({ status: 'ready', last_error: null } as const);
  await updateConnection(db, id, { last_used_at: isoTime(nowMs), ...healed });
}

import { isoTime } from '#core/clock/clock.ts';
import type { McpAnswer, McpLimits, McpWork } from '#core/mcp/session.ts';
import { briefOf } from '#core/problem/problem.ts';
import type { SessionsBase } from './base.ts';
import type { Connection, PackageSeen } from './connection.ts';
import { updateConnection } from './connections.ts';
import { problemOf, refusedAccess } from './failures.ts';
import { seenPackage } from './package-seen.ts';
import { type ScrubberOf, scrubbed, scrubbedSession } from './scrub.ts';
import type { Credentials } from './seams.ts';
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

interface ServersDeps extends Pick<SessionsBase, 'db' | 'clock'> {
  credentials: Credentials;
  upstreams: Upstreams;
  scrubberOf: ScrubberOf;
}

const TOUCH_EVERY_MS = 60_000;

/** Throws `connections.authorization_required` (`auth_required`) or `registry.gone` (`listing_taken_down`); failures of the server are returned. */
export const useServer =
  ({ db, clock, credentials, upstreams, scrubberOf }: ServersDeps): UseServer =>
  async (connection, limits, signal, work, { is_looked_at = false, on_step, on_facts } = {}) => {
    // Also checked here for work that started earlier, such as the run of a rig or a refreshed tool list.
    if (!is_looked_at) await refuseTakenDown(db, connection);
    for (let again = false; ; again = true) {
      const carried = await credentials.open(connection);
      const { id, user_id, transport } = connection;
      const { secrets: _, ...sent } = carried;
      const secrets = scrubberOf(carried, id);
      let seen: PackageSeen | null = null;
      const watch: PackageWatch = {
        on_step,
        on_facts: (facts) => {
          seen = seenPackage(connection.package_seen, facts);
          on_facts?.(facts);
        },
      };
      const to = { ...sent, id, user_id, transport };
      const met = await upstreams.through(
        to,
        limits,
        signal,
        (session) => work(scrubbedSession(session, secrets)),
        watch,
      );
      if (seen !== null) await updateConnection(db, id, { package_seen: seen });
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
        await updateConnection(db, id, {
          status: 'auth_required',
          last_error: briefOf(problemOf(failure)),
        });
      return answer;
    }
  };

async function noteUse(db: ServersDeps['db'], connection: Connection, nowMs: number): Promise<void> {
  const { id, auth, status, last_used_at } = connection;
  const isFresh = last_used_at !== null && Date.parse(last_used_at) > nowMs - TOUCH_EVERY_MS;
  // A required additional scope stays required, whatever else the token allows.
  const stays = status === 'ready' || (status === 'auth_required' && auth.type === 'oauth');
  if (isFresh && stays) return;
  const healed = stays ? {} : ({ status: 'ready', last_error: null } as const);
  await updateConnection(db, id, { last_used_at: isoTime(nowMs), ...healed });
}

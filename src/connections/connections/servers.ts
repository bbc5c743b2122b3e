import { isoTime } from '#core/clock/clock.ts';
import type { McpAnswer, McpLimits, McpWork } from '#core/mcp/session.ts';
import type { SessionsBase } from './base.ts';
import type { Connection } from './connection.ts';
import { updateConnection } from './connections.ts';
import { refusedAccess, sentence } from './failures.ts';
import { type ScrubberOf, scrubbed, scrubbedSession } from './scrub.ts';
import type { Credentials } from './seams.ts';
import type { Upstreams } from './upstreams.ts';
import { refuseTakenDown } from './usable-connection.ts';

/** Work at a connection's server, with the connection's credentials; what becomes of the connection is written. */
export type UseServer = <T>(
  connection: Connection,
  limits: McpLimits,
  signal: AbortSignal | null,
  work: McpWork<T>,
  /** A moment ago it was seen that the connection may be used; it is not asked again. */
  is_looked_at?: boolean,
) => Promise<McpAnswer<T>>;

export interface ServersDeps extends Pick<SessionsBase, 'db' | 'clock'> {
  credentials: Credentials;
  upstreams: Upstreams;
  scrubberOf: ScrubberOf;
}

const TOUCH_EVERY_MS = 60_000;

/** Throws `sessions.auth_required`, or `registry.listing_taken_down`; what the server does wrong is an answer. */
export const useServer =
  ({ db, clock, credentials, upstreams, scrubberOf }: ServersDeps): UseServer =>
  async (connection, limits, signal, work, is_looked_at = false) => {
    // Here too, for whatever was begun before: a rig's run, a list that is asked for anew.
    if (!is_looked_at) await refuseTakenDown(db, connection);
    for (let again = false; ; again = true) {
      const carried = await credentials.open(connection);
      const { id, transport } = connection;
      const { secrets: _, ...sent } = carried;
      const secrets = scrubberOf(carried, id);
      const met = await upstreams.through({ ...sent, id, transport }, limits, signal, (session) =>
        work(scrubbedSession(session, secrets)),
      );
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
      // A 403 may be about this one call; what becomes of an OAuth sign-in is not decided here.
      if (status === 401 && connection.auth.type !== 'oauth')
        await updateConnection(db, id, {
          status: 'auth_required',
          last_error: { code: 'sessions.auth_required', detail: sentence(failure) },
        });
      return answer;
    }
  };

async function noteUse(db: ServersDeps['db'], connection: Connection, now_ms: number): Promise<void> {
  const { id, auth, status, last_used_at } = connection;
  const is_fresh = last_used_at !== null && Date.parse(last_used_at) > now_ms - TOUCH_EVERY_MS;
  // A sign-in that has to be widened is still to be done, whatever else its token allows.
  const stays = status === 'ready' || (status === 'auth_required' && auth.type === 'oauth');
  if (is_fresh && stays) return;
  const healed = stays ? {} : ({ status: 'ready', last_error: null } as const);
  await updateConnection(db, id, { last_used_at: isoTime(now_ms), ...healed });
}

import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Database } from '#core/db/open.ts';
import { removeExpired } from '#core/db/remove-expired.ts';
import { newId } from '#core/ids.ts';
import type { ClientSessions } from './client-sessions.ts';
import { Refusal, RPC, type RpcMessage } from './rpc.ts';

/**
 * Delivers a client's answers to the process whose call waits for them, whichever process received them. The only SQL
 * that uses `mcp_session_mail`.
 */
export interface SessionMail {
  post(place: Place, message: RpcMessage): Promise<void>;
  /** Until the returned function is called. */
  listen(listener: Listener): () => void;
}

interface Place {
  session_id: string;
  address: string;
}

interface Listener {
  session_id: string;
  addresses: readonly string[];
  take(message: RpcMessage): void;
  /** The session has ended. */
  gone(): void;
}

interface SessionMailOptions {
  database: Database;
  clock: Clock;
  keys: KeyProvider;
  sessions: Pick<ClientSessions, 'standing'>;
}

/** Most calls end before the first poll. */
const LOOK_EVERY_MS = 250;
const KEPT_MS = 600_000;
const MOST_CHARS = 262_144;
/** Unread messages of a session; nobody asks more questions at once. */
const MOST_UNREAD = 32;
/** Of all unread messages together, encrypted; the last one may exceed it. */
const MOST_UNREAD_BYTES = 1_048_576;
const CLEAN_MOST = 64;

export const mailContext = ({ session_id, address }: Place): string => `mcp_mail|${session_id}|${address}`;

export function sessionMail(options: SessionMailOptions): SessionMail {
  const { database, sessions } = options;
  const listeners = new Set<Listener>();
  let looking = false;
  const lookWhileAnyoneListens = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    const pause = () => sleep(LOOK_EVERY_MS, undefined, { ref: false });
    for (await pause(); listeners.size > 0; await pause()) {
      // Nothing arrives while the database is unavailable.
      await look(options, sessions, listeners).catch(() => {});
    }
    looking = false;
  };
  return {
    post: async (place, message) => {
      const text = JSON.stringify(message);
      if (text.length > MOST_CHARS)
        throw new Refusal(400, RPC.invalid_request, `A response is limited to ${MOST_CHARS} characters.`);
      await removeExpired(database, 'mcp_session_mail', options.clock.now(), CLEAN_MOST);
      await insert(options, place, text);
    },
    listen: (listener) => {
      listeners.add(listener);
      void lookWhileAnyoneListens();
      return () => void listeners.delete(listener);
    },
  };
}

async function insert({ database: { db }, clock, keys }: SessionMailOptions, place: Place, text: string) {
  const { session_id, address } = place;
  const sealed = seal(keys, text, mailContext(place));
  const expiresAt = isoTime(clock.now() + KEPT_MS);
  await sql`INSERT INTO mcp_session_mail (id, session_id, address, sealed_message, expires_at)
    SELECT ${newId()}, id, ${address}, ${sealed}, ${expiresAt} FROM mcp_sessions WHERE id = ${session_id}
    AND (SELECT COUNT(*) FROM mcp_session_mail WHERE session_id = ${session_id}) < ${MOST_UNREAD}
    AND (SELECT COALESCE(SUM(octet_length(sealed_message)), 0) FROM mcp_session_mail
      WHERE session_id = ${session_id}) < ${MOST_UNREAD_BYTES}`.execute(db);
}

/** One poll for all listeners in this process. */
async function look(
  { database: { db }, keys }: SessionMailOptions,
  sessions: SessionMailOptions['sessions'],
  listeners: ReadonlySet<Listener>,
): Promise<void> {
  const all = [...listeners];
  const ids = [...new Set(all.map(({ session_id }) => session_id))];
  const standing = await sessions.standing(ids);
  for (const { session_id, gone } of all) if (!standing.has(session_id)) gone();
  const rows = await db
    .deleteFrom('mcp_session_mail')
    .where('session_id', 'in', ids)
    .where(
      'address',
      'in',
      all.flatMap(({ addresses }) => addresses),
    )
    .returningAll()
    .execute();
  for (const row of rows)
    for (const { session_id, addresses, take } of all)
      if (session_id === row.session_id && addresses.includes(row.address))
        take(JSON.parse(unseal(keys, row.sealed_message, mailContext(row)).toString()));
}

import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import { isoTime } from '#core/clock/clock.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Database } from '#core/db/open.ts';
import { removeExpired } from '#core/db/remove-expired.ts';
import type { Schema } from '#core/db/schema.ts';
import type { GoogleFlowRow } from '#core/db/schema-identity.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { FlowSecrets } from './issuer.ts';

/** Google sign-ins in progress. The only SQL that uses `google_flows`. */

export const FLOW_LIFE_MS = 600_000;
/** Kept for a while after expiry, so that a late callback gets the reason. */
const FLOW_KEPT_MS = 3_600_000;
const CLEAN_MOST = 64;

interface NewFlow extends FlowSecrets {
  /** The value of the browser's cookie. */
  browser: string;
  /** The account to link to; null for a sign-in. */
  user_id: string | null;
  return_to: string | null;
}

/** 256 random bits. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

export const newSecrets = (): FlowSecrets => ({
  state: randomToken(),
  nonce: randomToken(),
  code_verifier: randomToken(),
});

export async function saveFlow(database: Database, flow: NewFlow, now_ms: number): Promise<void> {
  const { state, browser, ...rest } = flow;
  await removeExpired(database, 'google_flows', now_ms - FLOW_KEPT_MS, CLEAN_MOST);
  await database.db
    .insertInto('google_flows')
    .values({
      ...rest,
      state_hash: sha256(state),
      cookie_hash: sha256(browser),
      created_at: isoTime(now_ms),
      expires_at: isoTime(now_ms + FLOW_LIFE_MS),
      used_at: null,
    })
    .execute();
}

/** Consumes the flow of this state: of concurrent callbacks, one gets it. The others get a 401 `auth.google_…`. */
export async function takeFlow(
  db: Kysely<Schema>,
  state: string,
  browser: string | null,
  now_ms: number,
): Promise<GoogleFlowRow> {
  const stateHash = sha256(state);
  const cookieHash = sha256(browser ?? '');
  const now = isoTime(now_ms);
  const taken = await db
    .updateTable('google_flows')
    .set({ used_at: now })
    .where('state_hash', '=', stateHash)
    .where('cookie_hash', '=', cookieHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  if (taken !== undefined) return taken;
  const row = await db.selectFrom('google_flows').selectAll().where('state_hash', '=', stateHash).executeTakeFirst();
  throw whyNot(row, cookieHash);
}

/** Deletes every flow that would link a Google account to this user. */
export async function forgetFlows(db: Kysely<Schema>, user_id: string): Promise<void> {
  await db.deleteFrom('google_flows').where('user_id', '=', user_id).execute();
}

/** Checks the browser first, so that nobody else learns the state of a flow. */
function whyNot(row: GoogleFlowRow | undefined, cookieHash: string): Problem {
  if (row === undefined)
    return accountsProblem('auth.google_sign_in_invalid', `Unknown sign-in state. ${AGAIN}`, { reason: 'unknown' });
  if (row.cookie_hash !== cookieHash)
    return accountsProblem(
      'auth.google_sign_in_invalid',
      `This sign-in was started in another browser, or its cookie is missing. ${AGAIN}`,
      { reason: 'other_browser' },
    );
  if (row.used_at !== null)
    return accountsProblem('auth.google_sign_in_invalid', `This sign-in was already completed. ${AGAIN}`, {
      reason: 'used',
    });
  return accountsProblem('auth.google_sign_in_invalid', `This sign-in has expired after ten minutes. ${AGAIN}`, {
    reason: 'expired',
  });
}

const AGAIN = 'Start again with POST /api/auth/google/start.';

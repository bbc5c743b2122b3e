import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import type { Schema } from '../../../platform/db/schema.ts';
import { newId } from '../../../platform/ids.ts';
import type { StartSignIn } from '../signed-in.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { issueToken } from './issue-token.ts';
import { addSignIn, deleteSpentSignIns, type SignIn } from './sign-ins.ts';

/** However often it is refreshed, a sign-in ends here. */
const LIFETIME_MS = 30 * 86_400_000;
const MAX_USER_AGENT = 200;

export interface StartDeps {
  db: Kysely<Schema>;
  clock: Clock;
  tokens: Tokens;
}

export const createStartSignIn =
  ({ db, clock, tokens }: StartDeps): StartSignIn =>
  async ({ user, method, wallet, user_agent }) => {
    const now = isoTime(clock.now());
    const sign_in: SignIn = {
      id: newId(),
      user_id: user.id,
      ...{ method, wallet, user_agent: shown(user_agent) },
      signed_in_at: now,
      refreshed_at: now,
      expires_at: isoTime(clock.now() + LIFETIME_MS),
      current_jti: newId(),
      previous_jti: null,
      previous_until: null,
      revoked_at: null,
    };
    const signed_in = await issueToken(tokens, sign_in, user);
    await addSignIn(db, sign_in);
    await deleteSpentSignIns(db, user.id, now);
    return signed_in;
  };

/** A stranger's text that its owner will see in a list. */
const shown = (text: string): string => text.replace(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT);

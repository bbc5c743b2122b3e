import { type Capstan, CapstanError, type SignedIn } from '../../sdk/src/index.ts';

/** The reader of a page. */

export interface User {
  id: string;
  display_name: string;
  tier: string;
  is_operator: boolean;
  /** A new account, for which the page computes the proof of work. */
  proof_required: boolean;
}

/** Null if the token is no longer valid. */
export async function readUser(capstan: Capstan): Promise<User | null> {
  try {
    const { user, tier, is_operator, proof_required } = await capstan.signIns.getCurrent();
    return { id: user.id, display_name: user.display_name, tier, is_operator, proof_required };
  } catch (error) {
    if (error instanceof CapstanError && error.status === 401) return null;
    throw error;
  }
}

/** A token lasts one day and can be renewed for thirty, so that daily visitors stay signed in. */
const OLD_MS = 3_600_000;

/** Renews a token that is older than an hour and gives it to the client. Null if that is not needed. */
export async function renew(capstan: Capstan, now_ms: number): Promise<SignedIn | null> {
  const madeAtMs = madeAt(capstan.token ?? '');
  if (madeAtMs === null || now_ms - madeAtMs < OLD_MS) return null;
  try {
    const renewed = await capstan.signIns.refresh();
    capstan.setToken(renewed.access_token);
    return renewed;
  } catch (error) {
    // The token has expired or was revoked: its next use fails with the right error.
    if (error instanceof CapstanError && error.status > 0 && error.status < 500) return null;
    throw error;
  }
}

/** When a session token was created; null for anything else. */
function madeAt(token: string): number | null {
  try {
    const { iat } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof iat === 'number' ? iat * 1_000 : null;
  } catch {
    return null;
  }
}

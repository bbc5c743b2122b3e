import { type Capstan, CapstanError, type SignedIn } from '../../sdk/src/index.ts';

/** Who reads. */

export interface User {
  id: string;
  display_name: string;
  tier: string;
  /** A new account, for which the page does the proof of work. */
  proof_required: boolean;
}

/** Null where the token is none any more. */
export async function readUser(capstan: Capstan): Promise<User | null> {
  try {
    const { user, tier, proof_required } = await capstan.signIns.getCurrent();
    return { id: user.id, display_name: user.display_name, tier, proof_required };
  } catch (error) {
    if (error instanceof CapstanError && error.status === 401) return null;
    throw error;
  }
}

/** A token lasts a day and can be renewed for thirty: whoever comes every day stays signed in. */
const OLD_MS = 3_600_000;

/** Asks for the next token where this one is older than an hour, and makes it the client's. Null where it need not be. */
export async function renew(capstan: Capstan, now_ms: number): Promise<SignedIn | null> {
  const madeAtMs = madeAt(capstan.token ?? '');
  if (madeAtMs === null || now_ms - madeAtMs < OLD_MS) return null;
  try {
    const renewed = await capstan.signIns.refresh();
    capstan.setToken(renewed.access_token);
    return renewed;
  } catch (error) {
    // Too old, or ended: whoever reads it next is told so.
    if (error instanceof CapstanError && error.status > 0 && error.status < 500) return null;
    throw error;
  }
}

/** When a token of a sign-in was made; null of what is none. */
function madeAt(token: string): number | null {
  try {
    const { iat } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof iat === 'number' ? iat * 1_000 : null;
  } catch {
    return null;
  }
}

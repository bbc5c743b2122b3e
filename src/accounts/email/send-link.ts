import { readAddress } from './address.ts';
import type { EmailDeps } from './deps.ts';
import { addToken, LINK_LIFE_MS } from './email-tokens.ts';

/**
 * Emails a link that anybody may ask for. Does the same for every address; the email finds out whether there is an
 * account. Over the limit of an address nothing is sent and the answer is the same: a stranger who asks often keeps
 * nobody from being answered, and the links sent so far stay good.
 */
export async function sendLink(
  { db, clock, counts, letters }: EmailDeps,
  about: 'reset' | 'sign_in',
  address: string,
): Promise<void> {
  const email = readAddress(address);
  const now_ms = clock.now();
  if (!(await counts.maySend(about, email, now_ms))) return;
  const token = await addToken(db, { purpose: about, email }, now_ms);
  await letters.post({ about, email, token }, now_ms + LINK_LIFE_MS[about]);
}

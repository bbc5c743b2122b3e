import { readAddress } from './address.ts';
import type { EmailDeps } from './deps.ts';
import { addToken, LINK_LIFE_MS } from './email-tokens.ts';

/**
 * Emails a link that anyone may request. Does the same for every address; the email looks up whether there is an
 * account. Over the limit of an address, nothing is sent but the response is the same, so that frequent requests by
 * others lock nobody out; links sent so far stay valid.
 */
export async function sendLink(
  { db, clock, counts, mail_queue }: EmailDeps,
  about: 'reset' | 'sign_in',
  address: string,
): Promise<void> {
  const email = readAddress(address);
  const nowMs = clock.now();
  if (!(await counts.maySend(about, email, nowMs))) return;
  const token = await addToken(db, { purpose: about, email }, nowMs);
  await mail_queue.post({ about, email, token }, nowMs + LINK_LIFE_MS[about]);
}

import type { Share } from '#core/fair-queue/share.ts';
import { readAddress } from './address.ts';
import type { EmailDeps } from './deps.ts';
import { addToken, LINK_LIFE_MS } from './email-tokens.ts';
import { newPassword } from './password-rule.ts';

/**
 * Does the same whether the address has an account or not, without looking it up: that happens when the email is
 * written. If the address has an account, the token is not in the email.
 */
export async function sendRegistration(
  { db, clock, passwords, counts, mail_queue, newAccounts }: EmailDeps,
  address: string,
  given: { email: string; password: string; display_name?: string | undefined },
  share: Share,
): Promise<void> {
  const email = readAddress(given.email);
  const password = newPassword(given.password, email);
  await newAccounts.count(address);
  const nowMs = clock.now();
  await counts.mail('confirm', email, nowMs);
  const password_hash = await passwords.hash(password, share);
  const display_name = (given.display_name ?? '').normalize('NFC');
  const token = await addToken(db, { purpose: 'register', email, password_hash, display_name }, nowMs);
  await mail_queue.post({ about: 'register', email, token }, nowMs + LINK_LIFE_MS.register);
}

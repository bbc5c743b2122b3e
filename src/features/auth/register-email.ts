import { type Handler, json } from '../../platform/http/operation.ts';
import type { emailOperations } from './contract-email.ts';
import { readAddress } from './email/address.ts';
import type { EmailDeps } from './email/deps.ts';
import { addToken, LINK_LIFE_MS } from './email/email-tokens.ts';
import { newPassword } from './email/password-rule.ts';

/**
 * POST /api/auth/email/register
 *
 * Does the same whether the address has an account or not, and does not even look: that is done when the letter is
 * written. Of an address that has one the token is in no mail.
 */
export const registerEmail =
  ({ db, clock, passwords, counts, letters }: EmailDeps): Handler<typeof emailOperations.registerEmail> =>
  async ({ body }) => {
    const email = readAddress(body.email);
    const password = newPassword(body.password, email);
    const now_ms = clock.now();
    await counts.mail(email, now_ms);
    const password_hash = await passwords.hash(password);
    const display_name = (body.display_name ?? '').normalize('NFC');
    const token = await addToken(db, { purpose: 'register', email, password_hash, display_name }, now_ms);
    await letters.post({ about: 'register', email, token }, now_ms + LINK_LIFE_MS.register);
    return json({ status: 'verification_sent' }, { status: 202 });
  };

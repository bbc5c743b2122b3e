import { type Handler, json } from '../../platform/http/operation.ts';
import type { emailOperations } from './contract-email.ts';
import { readAddress } from './email/address.ts';
import type { EmailDeps } from './email/deps.ts';
import { addToken, LINK_LIFE_MS } from './email/email-tokens.ts';

/** POST /api/auth/email/reset/request. Does the same for every address; the letter finds out whether there is anybody. */
export const requestPasswordReset =
  ({ db, clock, counts, letters }: EmailDeps): Handler<typeof emailOperations.requestPasswordReset> =>
  async ({ body }) => {
    const email = readAddress(body.email);
    const now_ms = clock.now();
    await counts.mail(email, now_ms);
    const token = await addToken(db, { purpose: 'reset', email }, now_ms);
    await letters.post({ about: 'reset', email, token }, now_ms + LINK_LIFE_MS.reset);
    return json({ status: 'reset_sent' }, { status: 202 });
  };

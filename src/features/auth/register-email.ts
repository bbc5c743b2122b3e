import { type Handler, json } from '../../platform/http/operation.ts';
import { shareOf } from '../../platform/http/share-of.ts';
import type { emailOperations } from './contract-email.ts';
import type { EmailDeps } from './email/deps.ts';
import { sendRegistration } from './email/register.ts';

/** POST /api/auth/email/register */
export const registerEmail =
  (deps: EmailDeps): Handler<typeof emailOperations.registerEmail> =>
  async ({ body, caller, address }) => {
    await sendRegistration(deps, address, body, shareOf({ caller, address }));
    return json({ status: 'verification_sent' }, { status: 202 });
  };

import { type Handler, json } from '#core/http/operation.ts';
import { shareOf } from '#core/http/share-of.ts';
import type { emailContract } from './contract.ts';
import type { EmailDeps } from './deps.ts';
import { sendRegistration } from './new-account.ts';

/** POST /api/auth/email/register */
export const registerEmail =
  (deps: EmailDeps): Handler<typeof emailContract.register> =>
  async ({ body, caller, address }) => {
    await sendRegistration(deps, address, body, shareOf({ caller, address }));
    return json({ status: 'verification_sent' }, { status: 202 });
  };

import { type Handler, json } from '#core/http/operation.ts';
import type { emailContract } from './contract.ts';
import type { EmailDeps } from './deps.ts';
import { sendLink } from './send-link.ts';

/** POST /api/auth/email/reset/request */
export const requestPasswordReset =
  (deps: EmailDeps): Handler<typeof emailContract.requestPasswordReset> =>
  async ({ body }) => {
    await sendLink(deps, 'reset', body.email);
    return json({ status: 'reset_sent' }, { status: 202 });
  };

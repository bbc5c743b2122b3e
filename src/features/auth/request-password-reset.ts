import { type Handler, json } from '../../platform/http/operation.ts';
import type { emailOperations } from './contract-email.ts';
import type { EmailDeps } from './email/deps.ts';
import { sendLink } from './email/send-link.ts';

/** POST /api/auth/email/reset/request */
export const requestPasswordReset =
  (deps: EmailDeps): Handler<typeof emailOperations.requestPasswordReset> =>
  async ({ body }) => {
    await sendLink(deps, 'reset', body.email);
    return json({ status: 'reset_sent' }, { status: 202 });
  };

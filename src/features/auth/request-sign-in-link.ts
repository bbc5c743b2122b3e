import { type Handler, json } from '../../platform/http/operation.ts';
import type { emailOperations } from './contract-email.ts';
import type { EmailDeps } from './email/deps.ts';
import { sendLink } from './email/send-link.ts';

/** POST /api/auth/email/sign-in/request */
export const requestSignInLink =
  (deps: EmailDeps): Handler<typeof emailOperations.requestSignInLink> =>
  async ({ body }) => {
    await sendLink(deps, 'sign_in', body.email);
    return json({ status: 'sign_in_sent' }, { status: 202 });
  };

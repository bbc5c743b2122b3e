import { type Handler, json } from '#core/http/operation.ts';
import type { emailContract } from './contract.ts';
import type { EmailDeps } from './deps.ts';
import { sendLink } from './send-link.ts';

/** POST /api/auth/email/sign-in/request */
export const requestSignInLink =
  (deps: EmailDeps): Handler<typeof emailContract.requestSignInLink> =>
  async ({ body }) => {
    await sendLink(deps, 'sign_in', body.email);
    return json({ status: 'sign_in_sent' }, { status: 202 });
  };

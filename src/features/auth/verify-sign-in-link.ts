import { type Handler, json } from '../../platform/http/operation.ts';
import type { emailOperations } from './contract-email.ts';
import type { EmailDeps } from './email/deps.ts';
import { signInByLink } from './email/sign-in-by-link.ts';

/** POST /api/auth/email/sign-in */
export const verifySignInLink =
  (deps: EmailDeps): Handler<typeof emailOperations.verifySignInLink> =>
  async ({ body, headers, origin }) =>
    json(await signInByLink(deps, { ...body, user_agent: `${headers['user-agent'] ?? ''}`, origin }), {
      cache_control: 'no-store',
    });

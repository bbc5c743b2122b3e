import { type Handler, json } from '#core/http/operation.ts';
import type { emailContract } from './contract.ts';
import type { EmailDeps } from './deps.ts';
import { signInByLink } from './sign-in-by-link.ts';

/** POST /api/auth/email/sign-in */
export const verifySignInLink =
  (deps: EmailDeps): Handler<typeof emailContract.verifySignInLink> =>
  async ({ body, headers, origin }) =>
    json(await signInByLink(deps, { ...body, user_agent: `${headers['user-agent'] ?? ''}`, origin }), {
      cache_control: 'no-store',
    });

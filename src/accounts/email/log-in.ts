import { type Handler, json } from '#core/http/operation.ts';
import type { emailContract } from './contract.ts';
import type { EmailDeps } from './deps.ts';
import { signInByEmail } from './sign-in.ts';

/** POST /api/auth/email/login */
export const loginEmail =
  (deps: EmailDeps): Handler<typeof emailContract.logIn> =>
  async ({ body, headers, origin }) =>
    json(await signInByEmail(deps, { ...body, user_agent: `${headers['user-agent'] ?? ''}`, origin }));

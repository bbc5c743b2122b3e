import { type Handler, json } from '../../platform/http/operation.ts';
import type { emailOperations } from './contract-email.ts';
import type { EmailDeps } from './email/deps.ts';
import { signInByEmail } from './email/sign-in.ts';

/** POST /api/auth/email/login */
export const loginEmail =
  (deps: EmailDeps): Handler<typeof emailOperations.loginEmail> =>
  async ({ body, headers, origin }) =>
    json(await signInByEmail(deps, { ...body, user_agent: `${headers['user-agent'] ?? ''}`, origin }));

import { createPasswords } from '../../platform/crypto/passwords.ts';
import type { Routes } from '../../platform/http/operation.ts';
import { changePassword } from './change-password.ts';
import type { emailOperations } from './contract-email.ts';
import type { AuthDeps } from './deps.ts';
import { createEmailCounts } from './email/counts.ts';
import type { EmailDeps } from './email/deps.ts';
import { linkEmail } from './link-email.ts';
import { loginEmail } from './login-email.ts';
import { registerEmail } from './register-email.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { requestSignInLink } from './request-sign-in-link.ts';
import { resetPassword } from './reset-password.ts';
import { unlinkEmail } from './unlink-email.ts';
import { verifyEmail } from './verify-email.ts';
import { verifySignInLink } from './verify-sign-in-link.ts';

export const emailRoutes = (deps: EmailDeps): Routes<typeof emailOperations> => ({
  registerEmail: registerEmail(deps),
  verifyEmail: verifyEmail(deps),
  loginEmail: loginEmail(deps),
  requestSignInLink: requestSignInLink(deps),
  verifySignInLink: verifySignInLink(deps),
  requestPasswordReset: requestPasswordReset(deps),
  resetPassword: resetPassword(deps),
  changePassword: changePassword(deps),
  linkEmail: linkEmail(deps),
  unlinkEmail: unlinkEmail(deps),
});

export function emailDeps(auth: AuthDeps): EmailDeps {
  const { db } = auth.database;
  const { clock, letters, startSignIn, newAccounts } = auth;
  const counts = createEmailCounts(db, auth.limits, auth.onLimited);
  const passwords = createPasswords(auth.password_cost === undefined ? {} : { cost: auth.password_cost });
  return { db, clock, letters, startSignIn, newAccounts, counts, passwords };
}

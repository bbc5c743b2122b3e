import type { AuthDeps } from '#accounts/auth/deps.ts';
import { createPasswords } from '#core/crypto/passwords.ts';
import type { Routes } from '#core/http/operation.ts';
import { changePassword } from './change-password.ts';
import type { emailContract } from './contract.ts';
import { createEmailCounts } from './counts.ts';
import type { EmailDeps } from './deps.ts';
import { linkEmail } from './link.ts';
import { loginEmail } from './log-in.ts';
import { registerEmail } from './register.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { requestSignInLink } from './request-sign-in-link.ts';
import { resetPassword } from './reset-password.ts';
import { unlinkEmail } from './unlink.ts';
import { verifyEmail } from './verify.ts';
import { verifySignInLink } from './verify-sign-in-link.ts';

export const emailRoutes = (deps: EmailDeps): Routes<typeof emailContract> => ({
  register: registerEmail(deps),
  verify: verifyEmail(deps),
  logIn: loginEmail(deps),
  requestSignInLink: requestSignInLink(deps),
  verifySignInLink: verifySignInLink(deps),
  requestPasswordReset: requestPasswordReset(deps),
  resetPassword: resetPassword(deps),
  changePassword: changePassword(deps),
  link: linkEmail(deps),
  unlink: unlinkEmail(deps),
});

export function emailDeps(auth: AuthDeps): EmailDeps {
  const { db } = auth.database;
  const { clock, mail_queue, startSignIn, newAccounts } = auth;
  const counts = createEmailCounts(db, auth.limits, auth.onLimited);
  const passwords = createPasswords(auth.password_cost === undefined ? {} : { cost: auth.password_cost });
  return { db, clock, mail_queue, startSignIn, newAccounts, counts, passwords };
}

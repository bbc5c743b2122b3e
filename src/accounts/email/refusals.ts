import { accountsProblem } from '#accounts/errors.ts';
import type { Problem } from '#core/problem/problem.ts';

/** One response for an address without an account and for a wrong password. */
export const badCredentials = (): Problem =>
  accountsProblem('auth.credentials_invalid', 'Incorrect email address or password.');

export const emailTaken = (): Problem =>
  accountsProblem(
    'auth.identity_conflict',
    'The address was linked to an account in the meantime, or your account now has another address. Sign ' +
      'in with the existing account.',
    { reason: 'email_taken' },
  );

export const emailNotLinked = (): Problem =>
  accountsProblem('auth.not_found', 'No email address linked to your account.', { reason: 'email' });

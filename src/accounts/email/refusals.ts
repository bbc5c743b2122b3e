import { Problem } from '#core/problem/problem.ts';

/** One answer for an address without an account and for a wrong password. */
export const badCredentials = (): Problem =>
  new Problem('unauthenticated', 'auth.bad_credentials', 'The email address or the password is wrong.');

export const emailTaken = (): Problem =>
  new Problem(
    'conflict',
    'auth.email_taken',
    'By now the address is linked to an account, or the account has another address. Sign in with what there is.',
  );

export const emailNotLinked = (): Problem =>
  new Problem('not_found', 'auth.email_not_linked', 'No email address is linked to your account.');

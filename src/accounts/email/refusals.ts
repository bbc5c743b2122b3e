import { Problem } from '#core/problem/problem.ts';

/** One response for an address without an account and for a wrong password. */
export const badCredentials = (): Problem =>
  new Problem('unauthenticated', 'auth.bad_credentials', 'Incorrect email address or password.');

export const emailTaken = (): Problem =>
  new Problem(
    'conflict',
    'auth.email_taken',
    'The address was linked to an account in the meantime, or your account now has another address. Sign ' +
      'in with the existing account.',
  );

export const emailNotLinked = (): Problem =>
  new Problem('not_found', 'auth.email_not_linked', 'No email address linked to your account.');

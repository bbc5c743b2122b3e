import { Problem } from '#core/problem/problem.ts';

/** Errors of the Google sign-in, which return to the page as a code only. */

const WORDS: Record<string, () => Problem> = {
  'auth.google_denied': () =>
    new Problem(
      'forbidden',
      'auth.google_denied',
      'You declined the Google sign-in. Try again, or use another method.',
    ),
  'auth.account_exists': () =>
    new Problem(
      'conflict',
      'auth.account_exists',
      'An account with this email address already exists. Sign in with email.',
    ),
};
const OTHER = (): Problem =>
  new Problem(
    'upstream_failed',
    'auth.google_failed',
    'The Google sign-in was not completed. Try again, or use another method.',
  );

/** Null if the sign-in did not start on the page. */
export const pageWithProblem = (return_to: string | null, { code }: Problem): string | null =>
  return_to?.startsWith('/oauth/authorize?') === true ? `${return_to}&problem=${code}` : null;

export const broughtBack = (code: string | undefined): Problem | null =>
  code === undefined ? null : ((Object.hasOwn(WORDS, code) ? WORDS[code] : OTHER) ?? OTHER)();

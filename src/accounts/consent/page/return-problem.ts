import { Problem } from '#core/problem/problem.ts';

/** What went wrong while the browser was away at Google, brought back to the page by its code alone. */

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

/** Null where the sign-in did not begin on the page. */
export const pageWithProblem = (return_to: string | null, { code }: Problem): string | null =>
  return_to?.startsWith('/oauth/authorize?') === true ? `${return_to}&problem=${code}` : null;

export const broughtBack = (code: string | undefined): Problem | null =>
  code === undefined ? null : ((Object.hasOwn(WORDS, code) ? WORDS[code] : OTHER) ?? OTHER)();

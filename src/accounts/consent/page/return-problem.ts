import { accountsProblem } from '#accounts/errors.ts';
import type { Problem } from '#core/problem/problem.ts';

/** Errors of the Google sign-in, which return to the page as a code only. */

const WORDS: Record<string, () => Problem> = {
  google_denied: () =>
    accountsProblem('auth.google_denied', 'You declined the Google sign-in. Try again, or use another method.'),
  account_exists: () =>
    accountsProblem(
      'auth.identity_conflict',
      'An account with this email address already exists. Sign in with email.',
      { reason: 'account_exists' },
    ),
};
const OTHER = (): Problem =>
  accountsProblem('auth.google_failed', 'The Google sign-in was not completed. Try again, or use another method.');

/** Null if the sign-in did not start on the page. */
export const pageWithProblem = (return_to: string | null, { code, reason }: Problem): string | null =>
  return_to?.startsWith('/oauth/authorize?') === true
    ? `${return_to}&problem=${reason ?? code.slice(code.indexOf('.') + 1)}`
    : null;

export const broughtBack = (word: string | undefined): Problem | null =>
  word === undefined ? null : ((Object.hasOwn(WORDS, word) ? WORDS[word] : OTHER) ?? OTHER)();

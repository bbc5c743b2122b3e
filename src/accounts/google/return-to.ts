import { coreProblem } from '#core/errors.ts';

/** Where the browser goes after a sign-in: a path on this service, never another address. */

const MAX_LENGTH = 1_024;
/**
 * Refuses everything that browsers interpret as another host: a second slash, a backslash, and control characters,
 * which they drop.
 */
const PATH = /^\/(?!\/)[!-[\]-~]*$/;

/** Null if absent. Throws `http.invalid` (`input`). */
export function readReturnTo(return_to: string | undefined): string | null {
  if (return_to === undefined) return null;
  if (return_to.length <= MAX_LENGTH && PATH.test(return_to)) return return_to;
  throw coreProblem(
    'http.invalid',
    'return_to must be a path on this service that begins with a single slash, in ASCII, at most ' +
      `${MAX_LENGTH} characters long.`,
    {
      reason: 'input',
      errors: [{ pointer: '/return_to', detail: 'must be a path on this service, such as /account' }],
    },
  );
}

/** An absolute URL, so that dots in the path cannot turn its beginning into a host. */
export const absoluteReturn = (return_to: string, base_url: string): string => new URL(return_to, base_url).href;

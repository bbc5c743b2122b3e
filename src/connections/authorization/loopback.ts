import { readReturnTo } from '#accounts/google/return-to.ts';

/**
 * Sign-ins of programs without a browser's cookies, such as the command line: the browser is sent on to an address on the
 * user's own machine (RFC 8252), and the program that waits there completes the sign-in with its user's token. Whoever lures
 * another user into the sign-in gets nothing, because what comes back goes to that user's machine.
 */

const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost):\d{1,5}\/[!-"$->@-~]*$/;
const MOST_CHARS = 1_024;

export const isLoopback = (return_to: string): boolean =>
  return_to.length <= MOST_CHARS && LOOPBACK.test(return_to) && URL.canParse(return_to);

/** A path of ours, or an address on loopback with a port and without a query; null where none is given. */
export const readReturn = (return_to: string | undefined): string | null =>
  return_to !== undefined && isLoopback(return_to) ? return_to : readReturnTo(return_to);

/** What such a flow is bound to, in place of a browser. No cookie has this form. */
export const programOf = ({ user_id, connection_id }: { user_id: string; connection_id: string }): string =>
  `program|${user_id}|${connection_id}`;

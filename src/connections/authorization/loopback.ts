import { readReturnTo } from '#accounts/google/return-to.ts';

/**
 * Authorization by programs without a browser's cookies, such as the CLI: the browser is redirected to a loopback
 * address (RFC 8252), and the program that listens there completes the authorization with its user's token. Luring
 * another user into it gives an attacker nothing, because the response goes to that user's machine.
 */

const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost):\d{1,5}\/[!-"$->@-~]*$/;
const MOST_CHARS = 1_024;

export const isLoopback = (return_to: string): boolean =>
  return_to.length <= MOST_CHARS && LOOPBACK.test(return_to) && URL.canParse(return_to);

/** Accepts a path on this service, or a loopback address with a port and without a query; null if absent. */
export const readReturn = (return_to: string | undefined): string | null =>
  return_to !== undefined && isLoopback(return_to) ? return_to : readReturnTo(return_to);

/** What such a flow is bound to instead of a browser. No cookie has this format. */
export const programOf = ({ user_id, connection_id }: { user_id: string; connection_id: string }): string =>
  `program|${user_id}|${connection_id}`;

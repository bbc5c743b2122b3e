import { isOwnPath } from '../server/own-path.ts';

/** Where a sign-in returns to: a path of this service, otherwise the dashboard. */
export const backTo = (given: string | null): string =>
  given !== null && given.length <= 1_024 && isOwnPath(given) && !given.startsWith('/sign') ? given : '/dashboard';

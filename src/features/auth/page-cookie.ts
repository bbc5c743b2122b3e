import type { SignedIn } from './signed-in.ts';

/** Where this service's own pages keep their token: out of reach of scripts and of URLs. The API never reads it. */
export const PAGE_COOKIE = '__Host-capstan-token';

export const pageCookie = ({ access_token, expires_in }: Pick<SignedIn, 'access_token' | 'expires_in'>): string =>
  `${PAGE_COOKIE}=${access_token}; Path=/; Max-Age=${expires_in}; Secure; HttpOnly; SameSite=Lax`;

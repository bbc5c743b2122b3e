import { ownCookie, readCookie } from '#accounts/auth/page-cookie.ts';
import type { Input } from '#core/http/operation.ts';
import { FLOW_LIFE_MS } from './flows.ts';

/** Ties a flow to the browser that began it: who only knows the state cannot complete it elsewhere. */

const NAME = 'capstan-google';

/** Null where the request has none that we could have set. */
export const readBrowser = (base_url: string, headers: Input['headers']): string | null =>
  readCookie(base_url, headers, NAME, /^[\w-]{43}$/) || null;

export const browserCookie = (base_url: string, browser: string): string =>
  ownCookie(base_url, NAME, browser, FLOW_LIFE_MS / 1_000);

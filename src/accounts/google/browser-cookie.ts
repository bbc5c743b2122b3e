import { ownCookie, readCookie } from '#accounts/auth/page-cookie.ts';
import type { Input } from '#core/http/operation.ts';
import { FLOW_LIFE_MS } from './flows.ts';

/** Binds a flow to the browser that started it: knowing the state is not enough to complete it elsewhere. */

const NAME = 'capstan-google';

/** Null if the request has no cookie that we could have set. */
export const readBrowser = (base_url: string, headers: Input['headers']): string | null =>
  readCookie(base_url, headers, NAME, /^[\w-]{43}$/) || null;

export const browserCookie = (base_url: string, browser: string): string =>
  ownCookie(base_url, NAME, browser, FLOW_LIFE_MS / 1_000);

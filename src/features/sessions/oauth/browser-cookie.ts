import { createHash } from 'node:crypto';
import type { Input } from '../../../platform/http/operation.ts';
import { FLOW_LIFE_MS, randomToken } from './flows.ts';

/**
 * Ties a flow to the browser and the user that began it: who only knows the state cannot complete it elsewhere, and
 * flows end where another user of the browser begins one. Form: `<random>.<hash of random and user>`.
 */

const NAME = '__Host-capstan-connect';

/** Null where the request has none that we could have set. */
export function readBrowser({ cookie }: Input['headers']): string | null {
  const pairs = `${cookie ?? ''}`.split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${NAME}=`))?.slice(NAME.length + 1) ?? '';
  return /^[\w-]{43}\.[\w-]{43}$/.test(value) ? value : null;
}

/** One value for all flows of a user in a browser, so that two tabs do not shut each other out. */
export function browserOf(headers: Input['headers'], user_id: string): string {
  const held = readBrowser(headers);
  return held !== null && isOf(held, user_id) ? held : marked(randomToken(), user_id);
}

export const isOf = (browser: string, user_id: string): boolean =>
  marked(browser.split('.')[0] as string, user_id) === browser;

const marked = (random: string, user_id: string): string =>
  `${random}.${createHash('sha256').update(`${random}|${user_id}`).digest('base64url')}`;

/** Lax, because the callback is reached by a link from another site. */
export const browserCookie = (browser: string): string =>
  `${NAME}=${browser}; Path=/; Max-Age=${FLOW_LIFE_MS / 1_000}; Secure; HttpOnly; SameSite=Lax`;

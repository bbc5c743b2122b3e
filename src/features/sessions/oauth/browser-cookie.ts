import { createHash } from 'node:crypto';
import type { Input } from '../../../platform/http/operation.ts';
import { FLOW_LIFE_MS, randomToken } from './flows.ts';

/**
 * Ties a flow to the browser and the user that began it: who only knows the state cannot complete it elsewhere, and
 * where another user of the browser begins one, those of the first end. Form: `<random>.<hash of random and user>`.
 */

const NAME = '__Host-capstan-connect';

export interface BrowserMark {
  /** Of the browser, whoever uses it: two tabs do not shut each other out. */
  random: string;
  /** Whether it was last this user who began a flow here. */
  isOf(user_id: string): boolean;
}

/** Null where the request has none that we could have set. */
export function readBrowser({ cookie }: Input['headers']): BrowserMark | null {
  const pairs = `${cookie ?? ''}`.split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${NAME}=`))?.slice(NAME.length + 1) ?? '';
  const [, random] = /^([\w-]{43})\.[\w-]{43}$/.exec(value) ?? [];
  return random === undefined ? null : { random, isOf: (user_id) => marked(random, user_id) === value };
}

export const browserOf = (headers: Input['headers']): string => readBrowser(headers)?.random ?? randomToken();

const marked = (random: string, user_id: string): string =>
  `${random}.${createHash('sha256').update(`${random}|${user_id}`).digest('base64url')}`;

/** Lax, because the callback is reached by a link from another site. */
export const browserCookie = (random: string, user_id: string): string =>
  `${NAME}=${marked(random, user_id)}; Path=/; Max-Age=${FLOW_LIFE_MS / 1_000}; Secure; HttpOnly; SameSite=Lax`;

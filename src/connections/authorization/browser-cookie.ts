import { createHash } from 'node:crypto';
import { ownCookie, readCookie } from '#accounts/auth/page-cookie.ts';
import type { Input } from '#core/http/operation.ts';
import { FLOW_LIFE_MS, randomToken } from './flows.ts';

/**
 * Binds a flow to the browser and the user that started it: knowing the state is not enough to complete it elsewhere,
 * and if another user of the browser starts a flow, those of the first end. Format: `<random>.<hash of random and
 * user>`.
 */

const NAME = 'capstan-connect';

interface BrowserMark {
  /** Identifies the browser for all its users, so that two tabs do not invalidate each other. */
  random: string;
  /** Returns whether this user started the last flow in this browser. */
  isOf(userId: string): boolean;
}

/** Null if the request has no cookie that we could have set. */
export function readBrowser(base_url: string, headers: Input['headers']): BrowserMark | null {
  const value = readCookie(base_url, headers, NAME, /^[\w-]{43}\.[\w-]{43}$/);
  const [random = ''] = value.split('.');
  return random === '' ? null : { random, isOf: (userId) => marked(random, userId) === value };
}

export const browserOf = (base_url: string, headers: Input['headers']): string =>
  readBrowser(base_url, headers)?.random ?? randomToken();

const marked = (random: string, userId: string): string =>
  `${random}.${createHash('sha256').update(`${random}|${userId}`).digest('base64url')}`;

export const browserCookie = (base_url: string, random: string, user_id: string): string =>
  ownCookie(base_url, NAME, marked(random, user_id), FLOW_LIFE_MS / 1_000);

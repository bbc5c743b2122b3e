import { DEVICE_LIFE_MS, DEVICE_TOKEN } from '#accounts/devices/devices.ts';
import type { Input } from '#core/http/operation.ts';
import type { SignedIn } from './signed-in.ts';

/** Cookies of the web pages, inaccessible to scripts and never in URLs. The API does not read them. */

/** The token of the web pages. */
export const PAGE_COOKIE = 'capstan-token';

export const pageCookie = (
  base_url: string,
  { access_token, expires_in }: Pick<SignedIn, 'access_token' | 'expires_in'>,
): string => ownCookie(base_url, PAGE_COOKIE, access_token, expires_in);

/** Marks a browser that has signed in to an account before. */
const DEVICE_COOKIE = 'capstan-device';

/** Returns no cookie if the device is already known. */
export const deviceCookies = (base_url: string, device_token: string | undefined): string[] =>
  device_token === undefined ? [] : [ownCookie(base_url, DEVICE_COOKIE, device_token, DEVICE_LIFE_MS / 1_000)];

/** Returns '' if there is none. */
export const readDeviceCookie = (base_url: string, headers: Input['headers']): string =>
  readCookie(base_url, headers, DEVICE_COOKIE, DEVICE_TOKEN);

/**
 * `__Host-` binds a cookie to this host and to https. Safari rejects that over plain http on loopback, where the cookie
 * has no prefix: nothing leaves the host, and anyone who could set the cookie has access to the host.
 */
export const cookieName = (base_url: string, name: string): string =>
  isPlainLoopback(base_url) ? name : `__Host-${name}`;

/**
 * SameSite=Lax, because callbacks are reached by a link from another site. Without a maximum age, the cookie ends with
 * the browser session.
 */
export function ownCookie(base_url: string, name: string, value: string, max_age_s: number | null): string {
  const age = max_age_s === null ? '' : ` Max-Age=${max_age_s};`;
  const secure = isPlainLoopback(base_url) ? '' : ' Secure;';
  return `${cookieName(base_url, name)}=${value}; Path=/;${age}${secure} HttpOnly; SameSite=Lax`;
}

/** Returns '' if the cookie is missing or malformed. */
export function readCookie(base_url: string, { cookie }: Input['headers'], name: string, form: RegExp): string {
  const begins = `${cookieName(base_url, name)}=`;
  const pairs = `${cookie ?? ''}`.split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(begins))?.slice(begins.length) ?? '';
  return form.test(value) ? value : '';
}

function isPlainLoopback(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

import { DEVICE_LIFE_MS, DEVICE_TOKEN } from '#accounts/devices/devices.ts';
import type { Input } from '#core/http/operation.ts';
import type { SignedIn } from './signed-in.ts';

/** The cookies of this service's own pages, out of reach of scripts and of URLs. The API never reads them. */

/** Where the pages keep their token. */
export const PAGE_COOKIE = 'capstan-token';

export const pageCookie = (
  base_url: string,
  { access_token, expires_in }: Pick<SignedIn, 'access_token' | 'expires_in'>,
): string => ownCookie(base_url, PAGE_COOKIE, access_token, expires_in);

/** Where a browser keeps that it signed in to an account before. */
const DEVICE_COOKIE = 'capstan-device';

/** None where the device is known already. */
export const deviceCookies = (base_url: string, device_token: string | undefined): string[] =>
  device_token === undefined ? [] : [ownCookie(base_url, DEVICE_COOKIE, device_token, DEVICE_LIFE_MS / 1_000)];

/** Empty where there is none. */
export const readDeviceCookie = (base_url: string, headers: Input['headers']): string =>
  readCookie(base_url, headers, DEVICE_COOKIE, DEVICE_TOKEN);

/**
 * `__Host-` keeps a cookie to this one host and to https. On plain http at loopback Safari takes no such cookie, so there
 * it has its plain name: nothing is on the wire, and whoever could set it there is on this machine.
 */
export const cookieName = (base_url: string, name: string): string =>
  isPlainLoopback(base_url) ? name : `__Host-${name}`;

/** Lax, because callbacks are reached by a link from another site. Without an age it ends with the browser. */
export function ownCookie(base_url: string, name: string, value: string, max_age_s: number | null): string {
  const age = max_age_s === null ? '' : ` Max-Age=${max_age_s};`;
  const secure = isPlainLoopback(base_url) ? '' : ' Secure;';
  return `${cookieName(base_url, name)}=${value}; Path=/;${age}${secure} HttpOnly; SameSite=Lax`;
}

/** Empty where there is none, or where it does not have this form. */
export function readCookie(base_url: string, { cookie }: Input['headers'], name: string, form: RegExp): string {
  const begins = `${cookieName(base_url, name)}=`;
  const pairs = `${cookie ?? ''}`.split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(begins))?.slice(begins.length) ?? '';
  return form.test(value) ? value : '';
}

function isPlainLoopback(base_url: string): boolean {
  const { protocol, hostname } = new URL(base_url);
  return protocol === 'http:' && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

import type { Input } from '../../platform/http/operation.ts';
import type { SignedIn } from './signed-in.ts';

/** The cookies of this service's own pages, out of reach of scripts and of URLs. The API never reads them. */

/** Where the pages keep their token. */
export const PAGE_COOKIE = '__Host-capstan-token';

export const pageCookie = ({ access_token, expires_in }: Pick<SignedIn, 'access_token' | 'expires_in'>): string =>
  hostCookie(PAGE_COOKIE, access_token, expires_in);

/** `__Host-` keeps it to this one host and to https; browsers take loopback for as safe. Null lets it end with the browser. */
export const hostCookie = (name: string, value: string, max_age_s: number | null): string =>
  `${name}=${value}; Path=/;${max_age_s === null ? '' : ` Max-Age=${max_age_s};`} Secure; HttpOnly; SameSite=Lax`;

/** Empty where there is none, or where it does not have this form. */
export function readCookie({ cookie }: Input['headers'], name: string, form: RegExp): string {
  const pairs = `${cookie ?? ''}`.split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  return form.test(value) ? value : '';
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { ownCookie, readCookie } from '#accounts/auth/page-cookie.ts';
import { randomText } from '#accounts/oauth/codes.ts';
import { coreProblem } from '#core/errors.ts';
import type { Input } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';

/**
 * Proves that a form came from our own page, was shown to this browser, and is for this request and user. The seal is a
 * MAC under a secret that only the browser's cookie has, so nothing is stored on the server.
 */

const COOKIE = 'capstan-page';
const FORM = /^[\w-]{43}$/;
const LIFE_MS = 30 * 60_000;

interface Browser {
  secret: string;
  /** Set-Cookie header if the browser has no secret yet. */
  cookie: Record<string, string>;
}

export function browserOf(base_url: string, headers: Input['headers']): Browser {
  const known = readCookie(base_url, headers, COOKIE, FORM);
  if (known !== '') return { secret: known, cookie: {} };
  const secret = randomText();
  return { secret, cookie: { 'set-cookie': ownCookie(base_url, COOKIE, secret, null) } };
}

/** The purpose of a form: `enter`, or `decide` with the session of the user who decides. */
interface Sealed {
  purpose: string;
  written: string;
}

export const sealForm = ({ secret }: Browser, sealed: Sealed, now_ms: number): string =>
  `${now_ms.toString(36)}.${mac(secret, sealed, now_ms.toString(36))}`;

/** Throws `http.forbidden` (`form`). */
export function checkForm(
  headers: Input['headers'],
  { seal, base_url, now_ms, ...rest }: Sealed & { seal: string; base_url: string; now_ms: number },
): void {
  // Every browser sends the page's origin with a form, so a request without one does not come from a browser.
  if (headers.origin !== new URL(base_url).origin) throw refused();
  const secret = readCookie(base_url, headers, COOKIE, FORM);
  const [time = '', shown = ''] = seal.split('.');
  const ageMs = now_ms - Number.parseInt(time, 36);
  const expected = Buffer.from(mac(secret, rest, time));
  const given = Buffer.from(shown);
  const isOurs = secret !== '' && given.length === expected.length && timingSafeEqual(given, expected);
  if (!isOurs || !(ageMs >= 0 && ageMs <= LIFE_MS)) throw refused();
}

const mac = (secret: string, { purpose, written }: Sealed, time: string): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([purpose, written, time]))
    .digest('base64url');

const refused = (): Problem =>
  coreProblem(
    'http.forbidden',
    "The form has expired, or was not submitted from this browser's page. No changes were made. Start " +
      'again from the client.',
    { reason: 'form' },
  );

/**
 * The reader's session: a token in a cookie that scripts cannot read. The API reads no cookies. Only this module turns
 * the cookie into the bearer token of a request, if the request came from a page of this service.
 */

/** `__Host-` restricts it to this host and https. Browsers except Safari also trust loopback. */
const TOKEN_COOKIE = '__Host-capstan-token';
/** For http://localhost and http://127.0.0.1 only, where Safari rejects `Secure` cookies. */
const LOOPBACK_COOKIE = 'capstan-token';

/** Marks a browser that signed in to an account before: its failed passwords are counted separately. */
const DEVICE_COOKIE = '__Host-capstan-device';
const LOOPBACK_DEVICE_COOKIE = 'capstan-device';
const DEVICE_LIFE_S = 180 * 86_400;
const DEVICE = /^cdv_[\w-]{43}$/;

export type Headers = Record<string, string | string[] | undefined>;

/** The public address of this service, or null. */
type PublicUrl = string | null;

const TOKEN = /^[\w.~+/-]{1,4096}=*$/;

/** The token of the reader, or null. */
export function readToken(headers: Headers, public_url: PublicUrl): string | null {
  const names = isPlainLoopback(headers, public_url) ? [TOKEN_COOKIE, LOOPBACK_COOKIE] : [TOKEN_COOKIE];
  const values = names.map((name) => readCookie(headers, name));
  return values.find((value) => value !== null && TOKEN.test(value)) ?? null;
}

/** `Set-Cookie` values that store the token until it expires. */
export const keepToken = (token: string, life_s: number, headers: Headers, public_url: PublicUrl): string[] =>
  isPlainLoopback(headers, public_url)
    ? [`${LOOPBACK_COOKIE}=${token}; Path=/; Max-Age=${life_s}; HttpOnly; SameSite=Lax`]
    : [`${TOKEN_COOKIE}=${token}; Path=/; Max-Age=${life_s}; Secure; HttpOnly; SameSite=Lax`];

/** `Set-Cookie` values that end the session in this browser. */
export const dropToken = (headers: Headers, public_url: PublicUrl): string[] => [
  `${TOKEN_COOKIE}=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax`,
  ...(isPlainLoopback(headers, public_url) ? [`${LOOPBACK_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`] : []),
];

/** The device token of this browser, or null. */
export function readDevice(headers: Headers, public_url: PublicUrl): string | null {
  const value = readCookie(headers, isPlainLoopback(headers, public_url) ? LOOPBACK_DEVICE_COOKIE : DEVICE_COOKIE);
  return value !== null && DEVICE.test(value) ? value : null;
}

/** `Set-Cookie` values that store the device token; none without one. */
export function keepDevice(token: string | undefined, headers: Headers, public_url: PublicUrl): string[] {
  if (token === undefined) return [];
  const plain = isPlainLoopback(headers, public_url);
  const [name, secure] = plain ? [LOOPBACK_DEVICE_COOKIE, ''] : [DEVICE_COOKIE, ' Secure;'];
  return [`${name}=${token}; Path=/; Max-Age=${DEVICE_LIFE_S};${secure} HttpOnly; SameSite=Lax`];
}

/** Where a reader wanted to go before an email was sent. The link is often opened in another tab of the same browser. */
const RETURN_COOKIE = '__Host-capstan-return';
const LOOPBACK_RETURN_COOKIE = 'capstan-return';
const RETURN_LIFE_S = 86_400;

/** `Set-Cookie` values that store a path of this service; an empty one forgets it. */
export function keepReturn(path: string, headers: Headers, public_url: PublicUrl): string[] {
  const plain = isPlainLoopback(headers, public_url);
  const [name, secure] = plain ? [LOOPBACK_RETURN_COOKIE, ''] : [RETURN_COOKIE, ' Secure;'];
  const life = path === '' ? 0 : RETURN_LIFE_S;
  return [`${name}=${encodeURIComponent(path)}; Path=/; Max-Age=${life};${secure} HttpOnly; SameSite=Lax`];
}

/** The stored path, or null. Callers check that it is a path of this service. */
export function readReturn(headers: Headers, public_url: PublicUrl): string | null {
  const value = readCookie(headers, isPlainLoopback(headers, public_url) ? LOOPBACK_RETURN_COOKIE : RETURN_COOKIE);
  try {
    return value === null || value === '' ? null : decodeURIComponent(value);
  } catch {
    return null;
  }
}

export function readCookie({ cookie }: Headers, name: string): string | null {
  const pairs = `${cookie ?? ''}`.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

/** Whether the request uses plain http on loopback. Never true with a public address, whatever the request says. */
function isPlainLoopback({ host }: Headers, publicUrl: PublicUrl): boolean {
  if (publicUrl !== null && !publicUrl.startsWith('http://')) return false;
  return isLoopbackHost(hostOf(`http://${host}`)) && (publicUrl === null || isLoopbackHost(hostOf(publicUrl)));
}

/**
 * Whether a page of this service sent the request. Browsers send `Sec-Fetch-Site` in secure contexts and `Origin` with
 * every method except GET. A request with neither does not come from a supported browser.
 */
export function isFromOurPage(headers: Headers, public_url: PublicUrl): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && ownOrigins(headers, public_url).includes(`${origin}`);
}

const ownOrigins = ({ host }: Headers, publicUrl: PublicUrl): string[] =>
  publicUrl === null ? [`http://${host}`, `https://${host}`] : [new URL(publicUrl).origin];

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** The prefix of API paths in requests from our pages. */
const PAGE_API = '/-/api/';

/** The path for requests that did not come from a page of this service. */
export const REFUSED = '/-/refused';

interface Request {
  url?: string | undefined;
  headers: Headers;
}

/**
 * Rewrites `/-/api/…` from our pages to `/api/…` with the reader's token. Other requests do not change. Modifies the
 * request's headers and returns its path.
 */
export function passDoor(request: Request, public_url: PublicUrl): string {
  const { url = '/', headers } = request;
  if (!url.startsWith(PAGE_API)) return url;
  if (!isFromOurPage(headers, public_url)) return REFUSED;
  const token = readToken(headers, public_url);
  delete headers.authorization;
  if (token !== null) headers.authorization = `Bearer ${token}`;
  delete headers.cookie;
  return url.slice('/-'.length);
}

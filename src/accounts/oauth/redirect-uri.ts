/** Redirect URIs of clients (RFC 8252, OAuth 2.1, section 2.3.1), compared as text except for the port of loopback. */

const MAX_LENGTH = 1_024;
/** The characters of RFC 3986, without a fragment. */
const WRITTEN = /^[a-z][a-z0-9+.-]*:[!$-;=?-[\]_a-z~]+$/;
const HOST = /^([a-z0-9_-]+\.)*[a-z0-9_-]+$|^\[[0-9a-f:.]+\]$/;
/** Schemes of apps. Anyone could claim a scheme without a dot, so only those of known MCP clients are allowed. */
const APP_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;
const KNOWN_SCHEMES = new Set(
  ['claude', 'cursor', 'goose', 'jetbrains', 'kiro', 'lmstudio', 'raycast', 'trae', 'vscode', 'vscode-insiders']
    .concat(['vscodium', 'warp', 'windsurf', 'zed'])
    .map((text) => `${text}:`),
);
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** `loopback` and `app` stay on the user's machine. */
type RedirectKind = 'loopback' | 'app' | 'web';

/** Null if no client may use this address. */
export function redirectKind(text: string): RedirectKind | null {
  const url = text.length <= MAX_LENGTH && WRITTEN.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== '' || url.password !== '') return null;
  if (KNOWN_SCHEMES.has(url.protocol) || APP_SCHEME.test(url.protocol)) return 'app';
  if (!HOST.test(url.hostname)) return null;
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname) ? 'loopback' : null;
  return url.protocol === 'https:' ? 'web' : null;
}

/**
 * Returns whether the address is registered, character by character; programs on the user's machine choose their own
 * port.
 */
export const isRegistered = (registered: readonly string[], given: string): boolean =>
  redirectKind(given) !== null &&
  registered.some((registered) => registered === given || isSameButPort(registered, given));

function isSameButPort(registered: string, given: string): boolean {
  if (redirectKind(registered) !== 'loopback' || redirectKind(given) !== 'loopback') return false;
  return withoutPort(registered) === withoutPort(given);
}

const withoutPort = (text: string): string =>
  text.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/?:]*)):\d{1,5}(?=[/?]|$)/, '$1');

/** Adds the parameters of the response to those of the client's own URI. */
export function answerUrl(redirect_uri: string, answer: Record<string, string | undefined>): string {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}

/**
 * CSP `form-action` sources, because browsers apply them to each redirect after a form. Where a website or a local
 * program redirects next is not restricted.
 */
export function actionSources(redirect_uri: string): string[] {
  const { protocol, origin } = new URL(redirect_uri);
  return redirectKind(redirect_uri) === 'app' ? [protocol] : [origin, ANY_SITE];
}

/** Also for providers behind the Google sign-in, which redirect to company sign-in pages. */
export const ANY_SITE = 'https:';

/** What a page may do: load from here alone, run and style nothing inline, stand in nobody's frame. */
const policy = (images: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const POLICY = policy("'self'");

/** Wallets bring their pictures along as data. */
const WITH_WALLETS = policy("'self' data:");

/** Of a page that holds this. */
export const policyOf = (content: string): string =>
  / data-island="(?:sign-in|signed)"/.test(content) ? WITH_WALLETS : POLICY;

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'referrer-policy': 'strict-origin-when-cross-origin',
  // Some wallets open a window of their own.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  vary: 'accept, cookie',
};

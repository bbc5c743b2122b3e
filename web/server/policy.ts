/** The security headers of pages: load only from this host, nothing inline, no framing. */
const policy = (images: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src ${images}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const POLICY = policy("'self'");

/** The icons of wallets are data URLs. */
const WITH_WALLETS = policy("'self' data:");

/** The policy for a page with this content. */
export const policyOf = (content: string): string =>
  / data-island="(?:sign-in|signed|connect|sheet)"/.test(content) ? WITH_WALLETS : POLICY;

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'referrer-policy': 'strict-origin-when-cross-origin',
  // Some wallets open a popup.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  vary: 'accept, cookie',
};

/** What a page may do: load from here alone, run and style nothing inline, stand in nobody's frame. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'referrer-policy': 'strict-origin-when-cross-origin',
  // Some wallets open a window of their own.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  vary: 'accept, cookie',
};

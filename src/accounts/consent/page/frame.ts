import { preferredType } from '#core/http/accept.ts';
import { type Html, html } from '#core/http/html.ts';
import type { Input, Reply } from '#core/http/operation.ts';
import { brand, pageShell, titled, UNLISTED } from '#core/http/page-shell.ts';

/** The frame of the pages for signing in and consent: nothing inline, nothing from other hosts, and not embeddable. */

interface PageParts {
  title: string;
  content: Html;
  status?: number;
  /** CSP sources that the page's forms may lead to, including redirects. */
  leads_to?: readonly string[];
  script?: boolean;
  headers?: Record<string, string>;
}

const policy = (leadsTo: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...leadsTo].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export const authorizationPage = (parts: PageParts): Reply => ({
  status: parts.status ?? 200,
  media_type: 'text/html; charset=utf-8',
  body: frame(parts).html,
  cache_control: 'no-store',
  headers: {
    'content-security-policy': policy(parts.leads_to ?? []),
    'x-frame-options': 'DENY',
    // Not `no-referrer`, because forms would then have no Origin.
    'referrer-policy': 'same-origin',
    // Some wallets open their own window.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    vary: 'accept, cookie',
    ...parts.headers,
  },
});

/** API clients get a problem as everywhere; clients that prefer HTML get a page. */
export const wantsPage = ({ accept }: Input['headers']): boolean =>
  preferredType(accept, ['application/problem+json', 'text/html']) === 'text/html';

/** Redirects to our own address or to a client. */
export const seeOther = (location: string, headers: Record<string, string> = {}): Reply => ({
  status: 303,
  media_type: 'text/plain; charset=utf-8',
  body: '',
  cache_control: 'no-store',
  headers: { location, 'referrer-policy': 'no-referrer', ...headers },
});

const frame = ({ title, content, script = false }: PageParts): Html =>
  pageShell({
    title: titled(title),
    head: html`${UNLISTED}
<link rel="stylesheet" href="/assets/authorize.css">
${script ? html`<script src="/assets/authorize.js" defer></script>` : null}`,
    body_class: 'gate',
    body: html`<header>${brand(32)}</header>
<main id="main">
${content}
</main>`,
  });

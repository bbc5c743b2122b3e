import { type Html, html } from '../../../platform/http/html.ts';
import type { Reply } from '../../../platform/http/operation.ts';
import { brand, pageShell, titled } from '../../../platform/http/page-shell.ts';
import { SERVICE } from '../../../platform/service.ts';

/** The frame of every page. Nothing is loaded from elsewhere, nothing runs or is styled inline. */

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface PageParts {
  title: string;
  /** A file of /assets that the page does without where it does not run. */
  script?: string;
  /** Where the same stands in Markdown. */
  markdown_url: string;
  content: Html;
}

export function page(parts: PageParts): Reply {
  const { markdown_url } = parts;
  return {
    media_type: 'text/html; charset=utf-8',
    body: frame(parts).html,
    headers: {
      'content-security-policy': POLICY,
      'referrer-policy': 'strict-origin-when-cross-origin',
      vary: 'accept',
      link: `<${markdown_url}>; rel="alternate"; type="text/markdown", </llms.txt>; rel="describedby"; type="text/plain"`,
    },
  };
}

const frame = ({ title, script, markdown_url, content }: PageParts): Html =>
  pageShell({
    title: title === SERVICE.title ? `${title}: find, connect, run and prove agent capabilities` : titled(title),
    head: html`<meta name="description" content="${SERVICE.description}">
${script === undefined ? null : html`<script src="/assets/${script}" defer></script>`}
<link rel="alternate" type="text/markdown" href="${markdown_url}">
<link rel="describedby" type="text/plain" href="/llms.txt">
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${SERVICE.title}">
<link rel="alternate" type="application/atom+xml" href="/feeds/new.atom" title="New listings">
<link rel="alternate" type="application/atom+xml" href="/feeds/changed.atom" title="Changed listings">
<link rel="alternate" type="application/feed+json" href="/feeds/new.json" title="New listings">`,
    body: html`<a class="skip" href="#main">Skip to content</a>
<header class="bar">
${brand(28)}
<nav aria-label="Site">
<a href="/registry">Registry</a>
<a href="/docs">Docs</a>
</nav>
</header>
${content}
<footer class="foot">
<p>${SERVICE.title} ${SERVICE.version}. Everything here is also <a href="/api">JSON</a> and <a href="${markdown_url}">Markdown</a>.
Listings belong to their authors.</p>
</footer>`,
  });

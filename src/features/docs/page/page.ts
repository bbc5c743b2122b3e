import { type Html, html } from '../../../platform/http/html.ts';
import type { Reply } from '../../../platform/http/operation.ts';
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

const frame = ({ title, script, markdown_url, content }: PageParts): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${SERVICE.description}">
<title>${title === SERVICE.title ? `${title}: find, connect, run and prove agent capabilities` : `${title} · ${SERVICE.title}`}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/page.css">
<link rel="stylesheet" href="/assets/home.css">
${script === undefined ? null : html`<script src="/assets/${script}" defer></script>`}
<link rel="alternate" type="text/markdown" href="${markdown_url}">
<link rel="describedby" type="text/plain" href="/llms.txt">
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${SERVICE.title}">
<link rel="alternate" type="application/atom+xml" href="/feeds/new.atom" title="New listings">
<link rel="alternate" type="application/atom+xml" href="/feeds/changed.atom" title="Changed listings">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="28" height="28"> ${SERVICE.title}</a>
<nav aria-label="Site">
<a href="/docs">Docs</a>
<a href="/api/schema">OpenAPI</a>
<a href="/api/skills">Skills</a>
<a href="/llms.txt">llms.txt</a>
</nav>
</header>
${content}
<footer class="foot">
<p>${SERVICE.title} ${SERVICE.version}. Everything here is also <a href="/api">JSON</a> and <a href="${markdown_url}">Markdown</a>.
Listings belong to their authors.</p>
</footer>
</body>
</html>
`;

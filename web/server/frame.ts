import { type Assets, TEXT_FONT } from './assets.ts';
import { type Html, html, raw } from './html.ts';
import { OWN_WAYS, SIGN_IN, WAYS, type Way } from './navigation.ts';
import type { Site, View } from './page.ts';
import type { Theme } from './theme.ts';
import type { User } from './visitor.ts';

/** The header and footer of every page. Nothing is inline, and nothing is loaded from other hosts. */

interface Frame {
  view: View;
  site: Pick<Site, 'title' | 'description' | 'version'>;
  /** Path and query of the request. */
  here: string;
  theme: Theme | null;
  user: User | null;
  assets: Assets;
}

export function framed({ view, site, here, theme, user, assets }: Frame): string {
  const { title, content } = view;
  const path = here.split('?', 1)[0] as string;
  return html`<!doctype html>
<html lang="en"${theme && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme ?? 'light dark'}">
<title>${title === site.title ? title : `${title} · ${site.title}`}</title>
<meta name="description" content="${view.description ?? site.description}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${view.description ?? site.description}">
${view.unlisted && html`<meta name="robots" content="noindex">`}
${view.onward !== undefined && html`<meta http-equiv="refresh" content="0; url=${view.onward}">`}
<link rel="preload" href="${assets.url(TEXT_FONT)}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets.url('site.css')}">
<link rel="icon" href="${assets.url('icon.svg')}" type="image/svg+xml">
<script type="module" src="${assets.url('start.js')}"></script>
${islandsOf(content).map((name) => html`<link rel="modulepreload" href="${assets.url(`${name}.js`)}">`)}
${view.markdown !== undefined && html`<link rel="alternate" type="text/markdown" href="${view.markdown}">`}
${view.json !== undefined && html`<link rel="alternate" type="application/json" href="${view.json}">`}
${FEEDS}
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${site.title}">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="bar">
<a class="brand" href="/">${MARK}<span>${site.title}</span></a>
<nav aria-label="Main">
${[...WAYS, ...(user === null ? [] : OWN_WAYS)].map((way) => wayLink(way, path))}
</nav>
<div class="tools">
${themeForm(theme, here)}
${user === null ? !path.startsWith(SIGN_IN.href) && signInLink(here) : html`<a class="me" href="/dashboard/account"><span class="user">${user.display_name || 'Account'}</span></a>`}
</div>
</header>
<main id="main" tabindex="-1">
${content}
</main>
<footer class="foot">
<p>${site.title} ${site.version}. Listings belong to their authors.</p>
<nav aria-label="For developers">
<a href="/api">JSON</a>
<a href="/api/schema">OpenAPI</a>
<a href="/api/docs.md">Docs as Markdown</a>
<a href="/llms.txt">llms.txt</a>
<a href="/feeds/new.atom">New listings</a>
</nav>
</footer>
${user?.proof_required && PROOF}
</body>
</html>
`.html;
}

/** The proof of work of a new account runs in the background on every page. */
const PROOF = raw('<div data-island="proof-of-work" hidden></div>');

const FEEDS = raw(`<link rel="describedby" type="text/plain" href="/llms.txt">
<link rel="alternate" type="application/atom+xml" href="/feeds/new.atom" title="New listings">
<link rel="alternate" type="application/atom+xml" href="/feeds/changed.atom" title="Changed listings">
<link rel="alternate" type="application/feed+json" href="/feeds/new.json" title="New listings">`);

function wayLink({ href, label }: Way, path: string): Html {
  const isHere = path === href || path.startsWith(`${href}/`);
  return html`<a href="${href}"${isHere && html` aria-current="${path === href ? 'page' : 'true'}"`}>${label}</a>`;
}

/** The sign-in link, which returns to the current page. */
function signInLink(here: string): Html {
  const { href, label } = SIGN_IN;
  return html`<a class="button" href="${here !== '/' ? `${href}?to=${encodeURIComponent(here)}` : href}" rel="nofollow">${label}</a>`;
}

/** The names of the islands that a page contains. */
const islandsOf = ({ html: text }: Html): string[] => [
  ...new Set([...text.matchAll(/ data-island="([a-z-]+)"/g)].map((match) => match[1] as string)),
];

/** The logo: the drum of a capstan from above, with its bars and the rope. */
const MARK = raw(`<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
<g class="bars"><path d="M16 3v26M4.7 9.5l22.6 13M27.3 9.5l-22.6 13"/></g><circle class="drum" cx="16" cy="16" r="7.5"/><path class="rope" d="M8.5 16a7.500 7.500 0 0 1 15 0v15"/><circle class="head" cx="16" cy="16" r="3"/></svg>`);

const themeForm = (theme: Theme | null, here: string): Html => html`<form class="theme" method="post" action="/-/theme">
<input type="hidden" name="to" value="${here}">
<button type="submit" name="theme" value="${theme === 'dark' ? 'light' : 'dark'}" data-theme-switch>
<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false"><circle cx="10" cy="10" r="7.2"/><path d="M10 2.800a7.200 7.200 0 0 1 0 14.400z"/></svg>
<span class="hidden">Switch between light and dark</span></button>
</form>`;

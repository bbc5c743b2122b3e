import { icon } from '../parts/icon.ts';
import { type Assets, TEXT_FONT } from './assets.ts';
import { type Html, html, raw, type Value } from './html.ts';
import { jsonLd } from './json-ld.ts';
import { DESK, FOOT_WAYS, OWN_WAYS, SIGN_IN, WAYS, type Way } from './navigation.ts';
import type { Site, View } from './page.ts';
import type { Theme } from './theme.ts';
import type { User } from './visitor.ts';

/**
 * The header and footer of every page. Nothing is inline, and nothing is loaded from other hosts. Nothing is shown before the whole
 * header has arrived: what comes last in it moves what comes first.
 */

interface Frame {
  view: View;
  site: Pick<Site, 'title' | 'description' | 'version' | 'base_url'>;
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
<meta property="og:type" content="website">
<meta property="og:site_name" content="${site.title}">
${pictureTags(view, site.base_url, assets)}
${indexing(view, site.base_url + path)}
${view.again_s !== undefined && html`<meta http-equiv="refresh" content="${view.again_s}">`}
${view.onward !== undefined && html`<meta http-equiv="refresh" content="0; url=${view.onward}">`}
<link rel="preload" href="${assets.url(TEXT_FONT)}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets.url('site.css')}">
<link rel="expect" href="#main" blocking="render">
<link rel="icon" href="${assets.url('icon.svg')}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${assets.url('icon-180.png')}">
<link rel="manifest" href="${assets.url('manifest.webmanifest')}">
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
<div>
<a class="brand" href="/">${MARK}<span>${site.title}</span></a>
<details class="menu"><summary>${icon('menu')}<span>Menu</span></summary>
<nav aria-label="Main">
${wayLinks(user === null ? WAYS : user.is_operator ? [...OWN_WAYS, DESK] : OWN_WAYS, path)}
</nav>
</details>
<div class="tools">
<a class="to-find" href="/find" rel="nofollow" data-island="palette">${icon('search')}<span>Search</span><kbd aria-hidden="true">Ctrl K</kbd></a>
${themeForm(theme, here)}
${user === null ? !path.startsWith(SIGN_IN.href) && signInLink(here) : accountLink(user)}
</div>
</div>
</header>
<main id="main" tabindex="-1"${user !== null && html` data-account="${user.id}"`}>
${content}
</main>
<footer class="foot">
<div>
<p>${site.title} ${site.version}. Listings belong to their authors.</p>
<nav aria-label="More">
${wayLinks(FOOT_WAYS, path)}
</nav>
</div>
</footer>
${user?.proof_required && PROOF}
</body>
</html>
`.html;
}

/** The picture of a link to the page: of the listing that it shows, or else the logo. */
function pictureTags({ picture }: View, base: string, assets: Assets): Html {
  if (picture === undefined)
    return html`<meta property="og:image" content="${base}${assets.url('icon-512.png')}">
<meta name="twitter:card" content="summary">`;
  const { path, width, height, alt } = picture;
  return html`<meta property="og:image" content="${base}${path}">
<meta property="og:image:width" content="${width}">
<meta property="og:image:height" content="${height}">
<meta property="og:image:alt" content="${alt}">
<meta name="twitter:card" content="summary_large_image">`;
}

/** The one address under which search engines list the page, whatever filters its link has. Error pages have none. */
function indexing({ unlisted, status = 200, data }: View, address: string): Value {
  if (unlisted) return html`<meta name="robots" content="noindex">`;
  if (status !== 200) return null;
  return html`<link rel="canonical" href="${address}">
<meta property="og:url" content="${address}">
${data !== undefined && jsonLd(data)}`;
}

/** The proof of work of a new account runs in the background on every page. */
const PROOF = raw('<div data-island="proof-of-work" hidden></div>');

const FEEDS = raw(`<link rel="describedby" type="text/plain" href="/llms.txt">
<link rel="alternate" type="application/atom+xml" href="/feeds/new.atom" title="New listings">
<link rel="alternate" type="application/atom+xml" href="/feeds/changed.atom" title="Changed listings">
<link rel="alternate" type="application/feed+json" href="/feeds/new.json" title="New listings">`);

/** The links of a navigation, of which the one nearest to this page is current. */
function wayLinks(ways: readonly Way[], path: string): Html[] {
  const [current] = ways
    .filter(({ href, within = [] }) => [href, ...within].some((base) => path === base || path.startsWith(`${base}/`)))
    .toSorted((a, b) => b.href.length - a.href.length);
  return ways.map(
    (way) =>
      html`<a href="${way.href}"${way === current && html` aria-current="${path === way.href ? 'page' : 'true'}"`}>${way.label}</a>`,
  );
}

/** The sign-in link, which returns to the current page. */
function signInLink(here: string): Html {
  const { href, label } = SIGN_IN;
  return html`<a class="button plain small" href="${here !== '/' ? `${href}?to=${encodeURIComponent(here)}` : href}" rel="nofollow">${label}</a>`;
}

/** The first letter of the reader's name, which is its text for screen readers and its tooltip. */
function accountLink({ display_name }: User): Html {
  const name = display_name || 'Account';
  return html`<a class="avatar" href="/dashboard/account" title="${name}"><span aria-hidden="true">${[...name][0]?.toUpperCase()}</span><span class="hidden">${name}</span></a>`;
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
<button type="submit" class="button quiet icon small" name="theme" value="${theme === 'dark' ? 'light' : 'dark'}" data-theme-switch>${icon('sun-moon')}<span class="hidden">Switch between light and dark</span></button>
</form>`;

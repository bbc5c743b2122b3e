import { SERVICE } from '#core/service.ts';
import { type Html, html } from './html.ts';

/** The frame of our own pages. Style and icon are separate files; nothing is inline. */

interface PageShell {
  /** The title in the browser. */
  title: string;
  /** Additional elements of the head. */
  head?: Html;
  body_class?: string;
  body: Html;
}

export const titled = (title: string): string => `${title} · ${SERVICE.title}`;

/** Excludes the page from search engines. */
export const UNLISTED = html`<meta name="robots" content="noindex">`;

export const pageShell = ({ title, head, body_class, body }: PageShell): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/page.css">
${head ?? null}
</head>
<body${body_class === undefined ? null : html` class="${body_class}"`}>
${body}
</body>
</html>
`;

/** The link to the home page. */
export const brand = (size: number): Html =>
  html`<a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="${size}" height="${size}"> ${SERVICE.title}</a>`;

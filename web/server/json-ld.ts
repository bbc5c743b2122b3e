import { type Html, raw } from './html.ts';

/** A value of schema.org that describes a page to search engines. */
export type LinkedData = { '@type': string } & { [name: string]: unknown };

/**
 * As a data block, which browsers do not run. No text can end the element or start a comment in it: `<`, `>` and `&` are escaped as
 * JSON allows.
 */
export const jsonLd = (data: LinkedData): Html =>
  raw(`<script type="application/ld+json">${escaped({ '@context': 'https://schema.org', ...data })}</script>`);

const escaped = (data: object): string =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

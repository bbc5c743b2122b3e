/** How text is compared in search, tags and order. */

/** Has nothing to normalise, as most of what is indexed and asked. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Case and accents do not matter: NFKD, marks dropped, lower case. Every script is kept. */
export const fold = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase();

/** Folded words, split at white space; what `search` terms are looked up in. */
export const words = (text: string): string[] =>
  (PLAIN.test(text) ? text.toLowerCase().split(' ') : fold(text).split(/\s+/u)).filter(Boolean);

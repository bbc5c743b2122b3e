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

/** Folded runs of letters and digits, each once: `GitHub-MCP` is `github` and `mcp`. */
export const parts = (text: string): string[] => [...new Set(fold(text.toWellFormed()).match(/[\p{L}\p{N}]+/gu) ?? [])];

/** The same of a name. Of one with an owner before it, such as `io.github.ana/weather`, what follows the last slash. */
export const nameParts = (name: string): string[] => parts(name.slice(name.lastIndexOf('/') + 1) || name);

/** Folded words, split at white space; what `search` terms are looked up in. */
export const words = (text: string): string[] =>
  (PLAIN.test(text) ? text.toLowerCase().split(' ') : fold(text).split(/\s+/u)).filter(Boolean);

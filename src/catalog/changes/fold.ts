/** How text is compared in searches, tags and sort orders. */

/** Most texts need no normalization. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Removes case and accents: NFKD, without marks, in lower case. Every script is kept. */
export const fold = (text: string): string =>
  PLAIN.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase();

/** Distinct folded runs of letters and digits: `GitHub-MCP` gives `github` and `mcp`. */
export const parts = (text: string): string[] => [...new Set(fold(text.toWellFormed()).match(/[\p{L}\p{N}]+/gu) ?? [])];

/** The parts of a name, without the owner: of `io.github.ana/weather` only what follows the last slash. */
export const nameParts = (name: string): string[] => parts(name.slice(name.lastIndexOf('/') + 1) || name);

/** Folded words, split at white space. */
export const words = (text: string): string[] =>
  (PLAIN.test(text) ? text.toLowerCase().split(' ') : fold(text).split(/\s+/u)).filter(Boolean);

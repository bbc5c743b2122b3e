/** What strangers say, in sentences of ours: short, on one line, without controls, and marked as theirs. Pure. */

const MOST_CHARS = 200;

/** In quotation marks that the words themselves cannot close; empty where nothing readable is left. */
export function quoted(words: unknown, most = MOST_CHARS): string {
  const line = plain(String(words ?? '').slice(0, 8 * most)).replace(/["“”„«»]/g, "'");
  if (line === '') return '';
  const short = line.length <= most ? line : `${line.slice(0, most).toWellFormed()}…`;
  return `“${short}”`;
}

/** For names: nothing in them that moves a cursor, hides, or turns the text around. */
export const plain = (words: string): string =>
  words
    .replace(/[\p{Cc}\p{Cf}\p{Z}\u2028\u2029]+/gu, ' ')
    .trim()
    .toWellFormed();

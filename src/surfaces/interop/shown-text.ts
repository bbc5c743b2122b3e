import { replaceHidden } from '#core/markdown/escape.ts';

/** Untrusted text for programs and single-line display: removes control, hidden and bidirectional characters. */

/** A joiner between letters of scripts that need it. */
const IN_WORD = /(?<=(?!\p{Script=Latin})[\p{L}\p{M}])[\u{200c}\u{200d}](?=(?!\p{Script=Latin})[\p{L}\p{M}])/uy;

export const oneLine = (text: string): string =>
  replaceHidden(text.replace(/[\t\n\r]/g, ' '), (char, at) => {
    IN_WORD.lastIndex = at;
    return IN_WORD.test(text) ? char : '';
  })
    .replace(/\s+/gu, ' ')
    .trim();

/** At most `most` UTF-16 units, truncated after a word if possible. */
export function shortened(text: string, most: number): string {
  const line = oneLine(text);
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${(space > most / 2 ? cut.slice(0, space) : cut).replace(/(?<![\s.,;:–—-])[\s.,;:–—-]+$/u, '')}…`;
}

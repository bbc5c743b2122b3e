/** Strangers' text for readers that are programs or show it in one line: no control, hidden or reordering character. */

const HIDDEN =
  /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u{200b}\u{2060}-\u{2064}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]/gu;

export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\t\n\r]/g, ' ')
    .replace(HIDDEN, '')
    .replace(/\s+/gu, ' ')
    .trim();

/** At most `most` UTF-16 units, cut after a word where there is one to cut after. */
export function shortened(text: string, most: number): string {
  const line = oneLine(text);
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${(space > most / 2 ? cut.slice(0, space) : cut).replace(/[\s.,;:–—-]+$/u, '')}…`;
}

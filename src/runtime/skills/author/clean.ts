/** Cleans untrusted texts for generated files: one line, well-formed, nothing hidden. Pure. */

const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u{FFF9}-\u{FFFB}]/gu;

export const clean = (text: string): string =>
  text
    .toWellFormed()
    .replace(HIDDEN, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Words that do not describe a purpose. */
const FILLERS = new Set(
  (
    'a an and any are as at be by can do does for from given has have i if in into is it its me my of on or our skill ' +
    'so that the them then these they this those to use used uses using want we when which will with you your'
  ).split(' '),
);
const MOST_WORDS = 4;
const MOST_CHARS = 40;

/** A name in the form of the format, from the first meaningful sentence; otherwise `fallback`. */
export function nameFrom(text: string, fallback: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const sentences = plain.split(/[.!?;:]\s/).map((word) => word.match(/[a-z0-9]+/g) ?? []);
  const telling = sentences.map((words) => words.filter((word) => !FILLERS.has(word)));
  const words = telling.find((parts) => parts.length > 0) ?? [];
  let name = '';
  for (const word of words.slice(0, MOST_WORDS)) {
    const longer = name === '' ? word.slice(0, MOST_CHARS) : `${name}-${word}`;
    if (longer.length <= MOST_CHARS) name = longer;
  }
  return name === '' ? fallback : name;
}

/** `csv-to-json` as a heading: `Csv to json`. */
export function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

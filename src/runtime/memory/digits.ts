/**
 * Folded text as digits that sort as its UTF-8 bytes do. Databases compare text by the rules of some language; digits sort
 * alike under all of them, so that what begins with a text is one range of an index on both engines.
 */

/** Printable, folded ASCII takes two digits (10 to 78), bytes from 0x80 on take three (800 to 927). */
const CODES = Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return `${800 + byte - 0x80}`;
  if (byte >= 0x20 && byte <= 0x40) return `${byte - 0x20 + 10}`;
  return byte >= 0x5b && byte <= 0x7e ? `${byte - 0x5b + 43}` : '79';
});

export function digitsOf(folded: string): string {
  let digits = '';
  for (const byte of Buffer.from(folded, 'utf8')) digits += CODES[byte];
  return digits;
}

/** Everything that begins with the text: `from <= it < to`. */
export function rangeOf(folded: string): { from: string; to: string } {
  const from = digitsOf(folded);
  return { from, to: `${from}99` };
}

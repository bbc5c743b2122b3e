/** Sieves the terms that can be near another in spelling, without looking at their letters one by one. */

/** A bit for each letter and each group of digits and other characters that occurs. */
export function signatureOf(term: string): number {
  let bits = 0;
  for (let i = 0; i < term.length; i++) bits |= 1 << bitOf(term.charCodeAt(i));
  return bits >>> 0;
}

const bitOf = (code: number): number => (code >= 97 && code <= 122 ? code - 97 : 26 + (code % 6));

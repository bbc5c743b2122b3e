/** The terms of a query, to be looked up by the letters of a text: of most words a hash says that they are none of them. */
export interface TermSet {
  terms: readonly string[];
  /** Open addressing: by the place that a hash has, one more than the term's place among `terms`; 0 where none is. */
  places: Uint16Array;
  hashes: Int32Array;
}

/** So many places a term: most words meet an empty one. */
const LOOSE = 6;

export function termSet(terms: readonly string[]): TermSet {
  const size = 2 ** Math.ceil(Math.log2(LOOSE * (terms.length + 1)));
  const [places, hashes] = [new Uint16Array(size), new Int32Array(size)];
  for (let i = 0; i < terms.length; i++) {
    const hash = hashOf(terms[i] as string);
    let place = hash & (size - 1);
    while (places[place] !== 0) place = (place + 1) & (size - 1);
    places[place] = i + 1;
    hashes[place] = hash;
  }
  return { terms, places, hashes };
}

function hashOf(term: string): number {
  let hash = 0;
  for (let at = 0; at < term.length; at++) hash = addLetter(hash, term.charCodeAt(at));
  return hash;
}

/** The hash of a word, letter by letter, from 0 on. */
export const addLetter = (hash: number, letter: number): number => Math.imul(hash ^ letter, 0x01000193);

/** Whether the letters and digits from `from` to before `to`, in either case, are a term; `hash` is theirs in lower case. */
export function isTerm(set: TermSet, hash: number, bytes: Uint8Array, from: number, to: number): boolean {
  const { terms, places, hashes } = set;
  const last = places.length - 1;
  for (let at = hash & last; places[at] !== 0; at = (at + 1) & last)
    if (hashes[at] === hash && isSame(terms[(places[at] as number) - 1] as string, bytes, from, to)) return true;
  return false;
}

/** The bit that makes a capital letter small is set in every digit. */
const SMALL = 0x20;

function isSame(term: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (term.length !== to - from) return false;
  for (let i = 0; i < term.length; i++) if (term.charCodeAt(i) !== ((bytes[from + i] as number) | SMALL)) return false;
  return true;
}

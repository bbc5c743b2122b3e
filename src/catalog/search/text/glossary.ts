import { readFileSync } from 'node:fs';
import { isEnglish } from './english-words.ts';
import { isDense, pairsOf, runsOf, tokenize } from './tokenize.ts';

/** What words of other languages mean in English, from glossary.txt, which explains its format. */

/** What a phrase means: English phrases, each a list of terms, the closest first. */
type Meaning = readonly (readonly string[])[];

export interface Translation {
  /** As in the text, folded. */
  from: string;
  /** The terms of the text that it replaces, as an index has them. */
  terms: readonly string[];
  meaning: Meaning;
}

interface Translated {
  found: Translation[];
  /** The terms of the text that are not in the glossary and may say something. */
  rest: string[];
}

interface Word {
  text: string;
  /** Any word that starts with `text`. */
  isStem: boolean;
}

/** A phrase of words; without a meaning it says nothing. */
interface Phrase {
  words: Word[];
  meaning: Meaning | null;
}

interface Glossary {
  /** Phrases in scripts without spaces; null for those that say nothing. */
  dense: Map<string, Meaning | null>;
  /** Phrases by their first word, those of most words first. */
  spaced: Map<string, Phrase[]>;
  stems: Map<string, Phrase[]>;
}

let glossary: Glossary | undefined;

function readGlossary(): Glossary {
  const read: Glossary = { dense: new Map(), spaced: new Map(), stems: new Map() };
  const lines = readFileSync(new URL('./glossary.txt', import.meta.url), 'utf8').split('\n');
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue;
    const [english = [], ...others] = line.split('|').map(phrasesIn);
    const meaning = english.length === 0 ? null : english.map(tokenize);
    for (const phrase of others.flat()) addPhrase(read, phrase, meaning);
  }
  for (const phrases of [...read.spaced.values(), ...read.stems.values()])
    phrases.sort((a, b) => b.words.length - a.words.length);
  return read;
}

const phrasesIn = (column: string): string[] =>
  column
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');

function addPhrase({ dense, spaced, stems }: Glossary, phrase: string, meaning: Meaning | null): void {
  const words = phrase.split(' ').flatMap((word) => wordOf(word) ?? []);
  const [first] = words;
  if (first === undefined) return;
  if (isDense(first.text)) {
    const text = words.map((word) => word.text).join('');
    const known = dense.get(text);
    dense.set(text, meaning === null ? null : [...(known ?? []), ...meaning]);
    return;
  }
  const byFirst = first.isStem ? stems : spaced;
  const phrases = byFirst.get(first.text) ?? [];
  phrases.push({ words, meaning });
  byFirst.set(first.text, phrases);
}

function wordOf(text: string): Word | undefined {
  const [word] = runsOf(text);
  return word === undefined ? undefined : { text: word, isStem: text.endsWith('*') };
}

const LEAST_STEM = 3;
/** Characters of the longest phrase in a script without spaces. */
const LONGEST_DENSE = 12;

/** The phrases of the glossary in a text, the longest at each place, and what else the text has. */
export function translate(text: string): Translated {
  const runs = runsOf(text);
  const translated = translateRuns(runs, () => true);
  // `image` is English, too, as are `reunion` and `police`: that the text is of another language takes another word.
  const isForeign = translated.found.some(({ from }) => !isAllEnglish(from.split(' ')));
  return isForeign ? translated : translateRuns(runs, (words) => !isAllEnglish(words));
}

const isAllEnglish = (words: readonly string[]): boolean => words.every(isEnglish);

function translateRuns(runs: readonly string[], mayTranslate: (words: readonly string[]) => boolean): Translated {
  glossary ??= readGlossary();
  const translated: Translated = { found: [], rest: [] };
  for (let at = 0; at < runs.length; ) {
    const run = runs[at] as string;
    if (isDense(run)) {
      translateDense(glossary, run, translated);
      at++;
      continue;
    }
    const phrase = phraseAt(glossary, runs, at);
    const words = runs.slice(at, at + (phrase?.words.length ?? 1));
    if (phrase === undefined || !mayTranslate(words)) translated.rest.push(...words);
    else if (phrase.meaning !== null)
      translated.found.push({ from: words.join(' '), terms: words, meaning: phrase.meaning });
    at += words.length;
  }
  return translated;
}

/** The phrase of most words that starts at a place. */
function phraseAt({ spaced, stems }: Glossary, runs: readonly string[], at: number): Phrase | undefined {
  const first = runs[at] as string;
  let best = longestOf(spaced.get(first), runs, at);
  for (let length = first.length; length >= LEAST_STEM; length--) {
    const found = longestOf(stems.get(first.slice(0, length)), runs, at);
    if (found !== undefined && found.words.length > (best?.words.length ?? 0)) best = found;
  }
  return best;
}

const longestOf = (phrases: Phrase[] | undefined, runs: readonly string[], at: number): Phrase | undefined =>
  phrases?.find(({ words }) => words.every((word, i) => isWord(word, runs[at + i])));

const isWord = ({ text, isStem }: Word, run: string | undefined): boolean =>
  run !== undefined && (isStem ? run.startsWith(text) : run === text);

function translateDense({ dense }: Glossary, run: string, { found, rest }: Translated): void {
  const characters = [...run];
  let unknown = '';
  const endUnknown = (): void => {
    if ([...unknown].length > 1) rest.push(...pairsOf(unknown));
    unknown = '';
  };
  for (let at = 0; at < characters.length; ) {
    const length = denseLengthAt(dense, characters, at);
    if (length === 0) {
      unknown += characters[at];
      at++;
      continue;
    }
    endUnknown();
    const from = characters.slice(at, at + length).join('');
    const meaning = dense.get(from);
    if (meaning !== null && meaning !== undefined) found.push({ from, terms: pairsOf(from), meaning });
    at += length;
  }
  endUnknown();
}

/** The characters of the longest phrase at a place; 0 if there is none. A single character is too little to mean something. */
function denseLengthAt(dense: Glossary['dense'], characters: readonly string[], at: number): number {
  for (let length = Math.min(LONGEST_DENSE, characters.length - at); length > 0; length--) {
    const phrase = characters.slice(at, at + length).join('');
    const meaning = dense.get(phrase);
    if (meaning !== undefined && (length > 1 || meaning === null || characters.length === 1)) return length;
  }
  return 0;
}

import { remembered, type TextCache, textCache } from '#core/text/text-cache.ts';
import {
  type FoundTerm,
  type Postings,
  postingsAt,
  postingsOf,
  type TextIndex,
  termsNear,
  termsSounding,
  termsStartingWith,
} from '../index/text-index.ts';
import { RANKING } from '../ranking.ts';
import { SENTENCE_STOP_WORDS, WEAK_WORDS } from '../text/stop-words.ts';
import { type FindSynonyms, synonymsIn } from '../text/synonyms.ts';
import { countLive, countLiveAmong, type TextPart } from './part.ts';

/** The terms of all parts of a view. Counts are of capabilities that are not deleted. */
export interface Vocabulary {
  /** All capabilities. */
  count: number;
  lookUp(terms: readonly string[]): Entry;
  startingWith(start: string): readonly { term: string; count: number }[];
  near(term: string, most: number): readonly { term: string; distance: number; count: number }[];
  /** Other terms that sound the same. */
  sounding(term: string): readonly { term: string; count: number }[];
  /** Terms with their expansions. Kept here, because queries differ more often than their words do. */
  expanded: TextCache<ExpandedTerm>;
  rules: WordRules;
}

/** What words say about what is searched. */
interface WordRules {
  /** Ignored if a text has other words. */
  stop: ReadonlySet<string>;
  /** How much a word counts, from 0 to 1. */
  weightOf(term: string): number;
  synonymsIn: FindSynonyms;
  /** The weight of a synonym. */
  synonym(): number;
  /** Whether other forms of a synonym match, too, and phrases of ignored words (`to do`) are words. */
  inflects: boolean;
}

const USUAL_RULES: WordRules = {
  stop: SENTENCE_STOP_WORDS,
  weightOf: (term) => (WEAK_WORDS.has(term) ? RANKING.weak : 1),
  synonymsIn,
  synonym: () => RANKING.synonym,
  inflects: false,
};

/** One term, or several that must occur together: how many capabilities have all of them, and the postings of each part. */
export interface Entry {
  terms: readonly string[];
  count: number;
  postings: readonly Postings[];
}

export type ExpansionKind = 'exact' | 'form' | 'prefix' | 'joined' | 'synonym' | 'typo' | 'translation';

/** Something that matches a term of the query: the term itself, or another one that counts less. */
export interface Expansion extends Entry {
  kind: ExpansionKind;
  /** From 0 to 1. */
  weight: number;
}

/** A term of the query. Of its expansions only the best counts. */
export interface TermGroup {
  /** Folded. */
  term: string;
  /** The heaviest first. */
  expansions: readonly Expansion[];
  /** Inverse document frequency; 0 if nothing matches. */
  idf: number;
}

/** A term without regard to the rest of the query. */
export interface ExpandedTerm extends TermGroup {
  /** What may have been meant, if it is misspelled. */
  corrections: readonly Expansion[];
}

/** The limit of each cache. */
export const CACHE_BYTES = 2 ** 21;

const termBytes = ({ expansions, corrections }: ExpandedTerm): number =>
  256 * (1 + expansions.length + corrections.length);
/** The postings of a single term are the index's own. */
const entryBytes = ({ terms, postings }: Entry): number =>
  256 +
  (terms.length === 1 ? 0 : postings.reduce((sum, { rows, weights }) => sum + rows.byteLength + weights.byteLength, 0));

export function vocabularyOf(parts: readonly TextPart[], rules: WordRules = USUAL_RULES): Vocabulary {
  const entries: TextCache<Entry> = textCache({ most_bytes: CACHE_BYTES, bytesOf: entryBytes });
  const near: TextCache<ReturnType<Vocabulary['near']>> = textCache({
    most_bytes: CACHE_BYTES,
    bytesOf: ({ length }) => 64 + 96 * length,
  });
  return {
    count: parts.reduce((sum, part) => sum + countLive(part), 0),
    lookUp: (terms) => remembered(entries, terms.join(' '), () => entryIn(parts, terms)),
    startingWith: (start) => counted(parts, (text) => termsStartingWith(text, start)),
    near: (term, most) => remembered(near, term, () => counted(parts, (text) => termsNear(text, term, most))),
    sounding: (term) => counted(parts, (text) => termsSounding(text, term)),
    expanded: textCache({ most_bytes: CACHE_BYTES, bytesOf: termBytes }),
    rules,
  };
}

function entryIn(parts: readonly TextPart[], terms: readonly string[]): Entry {
  const postings = parts.map(({ segment }) => postingsOf(segment.text, terms));
  const count = parts.reduce((sum, part) => sum + countLiveAmong(part, postings[part.at] as Postings), 0);
  return { terms, count, postings };
}

/** The terms that any part has, with their counts in all parts. */
function counted<T extends FoundTerm>(
  [base, ...deltas]: readonly TextPart[],
  find: (text: TextIndex) => T[],
): readonly T[] {
  const inBase = base === undefined ? [] : countedIn(base, find);
  const inDeltas = deltas.flatMap((part) => countedIn(part, find));
  if (inDeltas.length === 0) return inBase;
  // A delta is small beside its base.
  const others = new Map(inDeltas.map((found) => [found.term, found]));
  for (const found of inBase) {
    found.count += others.get(found.term)?.count ?? 0;
    others.delete(found.term);
  }
  return [...inBase, ...others.values()];
}

function countedIn<T extends FoundTerm>(part: TextPart, find: (text: TextIndex) => T[]): T[] {
  const { text } = part.segment;
  const all = find(text);
  for (const found of all) found.count = countLiveAmong(part, postingsAt(text, found.number));
  return all;
}

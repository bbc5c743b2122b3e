import { remembered, type TextCache, textCache } from '#core/text/text-cache.ts';
import { hasBit } from '../index/bitset.ts';
import { type CapabilitySegment, wireAt } from '../index/capability-segment.ts';
import type { ShownCapability } from '../index/document.ts';
import { type Postings, postingsAt, postingsOf } from '../index/postings.ts';
import type { CapabilityState } from '../index/state.ts';
import { termsFrom, termsNear } from '../index/text-terms.ts';
import type { Plan } from './query-plan.ts';
import { type View as ListView, viewOf as listViewOf } from './registry-view.ts';
import { newScratch, type Scratch } from './scratch.ts';
import type { Entry, KnownTerm, Vocabulary } from './vocabulary.ts';

/** One state ready to be read by one thread. */
export interface IndexView {
  version: string;
  /** As in the state. */
  is_whole: boolean;
  /** The base, and the delta where there is one. */
  parts: readonly [base: Part, ...delta: Part[]];
  /** The same as the catalogue's functions read it. */
  list: ListView;
  vocabulary: Vocabulary;
  /** What queries look for, by their text. */
  plans: TextCache<Plan>;
}

/** A segment with what the reading thread keeps beside it. */
export interface Part {
  /** Its place among the parts. */
  at: number;
  segment: CapabilitySegment;
  dead: Int32Array | null;
  scratch: Scratch;
}

export function indexViewOf(state: CapabilityState, before: IndexView | null): IndexView {
  const { version, dead, is_whole } = state;
  const known = before?.parts[0];
  const sameBase = known !== undefined && known.segment.list.json.buffer === state.base.list.json.buffer;
  const base: Part = sameBase
    ? { ...known, dead }
    : { at: 0, segment: state.base, dead, scratch: newScratch(state.base) };
  const delta = state.delta?.segment;
  const list = {
    base: base.segment.list,
    dead,
    delta: state.delta && { ...state.delta, segment: state.delta.segment.list },
    version,
  };
  const parts: IndexView['parts'] =
    delta === undefined ? [base] : [base, { at: 1, segment: delta, dead: null, scratch: newScratch(delta) }];
  return {
    version,
    is_whole,
    parts,
    list: listViewOf(list, before?.list ?? null),
    vocabulary: vocabularyOf(parts),
    plans: textCache({ most_bytes: KNOWN_BYTES, bytesOf: planBytes }),
  };
}

/** Where a hit is: 0 and above in the base, `-1 - row` in the delta. */
export const placeIn = ({ parts: [base, delta = base] }: IndexView, hit: number): { part: Part; row: number } =>
  hit >= 0 ? { part: base, row: hit } : { part: delta, row: -1 - hit };

/** The capability of a hit. `Shown` is the type that its document was made with. */
export function wireOfHit<Shown extends ShownCapability = ShownCapability>(view: IndexView, hit: number): Shown {
  const { part, row } = placeIn(view, hit);
  return wireAt(part.segment.list, row);
}

/** So much is kept of what terms, and of what queries, were asked for. */
const KNOWN_BYTES = 2 ** 21;

/** Guesses: what stands for a term takes most, and what several terms have together is kept beside the index. */
const planBytes = ({ groups, pairs }: Plan): number =>
  512 + 256 * (pairs.length + groups.reduce((sum, { stands }) => sum + 1 + stands.length, 0));
const termBytes = ({ stands, typos }: KnownTerm): number => 256 * (1 + stands.length + typos.length);
const entryBytes = ({ terms, postings }: Entry): number =>
  256 +
  (terms.length === 1 ? 0 : postings.reduce((sum, { rows, weights }) => sum + rows.byteLength + weights.byteLength, 0));

function vocabularyOf(parts: readonly Part[]): Vocabulary {
  const entries: TextCache<Entry> = textCache({ most_bytes: KNOWN_BYTES, bytesOf: entryBytes });
  const near: TextCache<Near> = textCache({ most_bytes: KNOWN_BYTES, bytesOf: (value) => 64 + 96 * value.length });
  return {
    count: parts.reduce((sum, { segment, dead }) => sum + livingRows(segment.count, dead), 0),
    known: textCache({ most_bytes: KNOWN_BYTES, bytesOf: termBytes }),
    entryOf: (terms) => remembered(entries, terms.join(' '), () => entryIn(parts, terms)),
    startingWith: (start) => counted(parts, ({ text }) => termsFrom(text, start)),
    near: (term, most) => remembered(near, term, () => counted(parts, ({ text }) => termsNear(text, term, most))),
  };
}

function entryIn(parts: readonly Part[], terms: readonly string[]): Entry {
  const postings = parts.map(({ segment }) => postingsOf(segment.text, terms));
  const count = postings.reduce((sum, posting, at) => sum + livingAmong(parts[at] as Part, posting), 0);
  return { terms, count, postings };
}

/** What is found in any part, with how many in all of them have it. */
function counted<T extends { term: string; at: number }>(
  parts: readonly Part[],
  find: (segment: CapabilitySegment) => Iterable<T>,
): (T & { count: number })[] {
  const found = new Map<string, T & { count: number }>();
  for (const part of parts)
    for (const value of find(part.segment)) {
      const count = livingAmong(part, postingsAt(part.segment.text, value.at));
      const before = found.get(value.term);
      if (before === undefined) found.set(value.term, { ...value, count });
      else before.count += count;
    }
  return [...found.values()];
}

type Near = ReturnType<Vocabulary['near']>;

function livingRows(count: number, dead: Int32Array | null): number {
  let living = count;
  if (dead !== null) for (let row = 0; row < count; row++) if (hasBit(dead, row)) living--;
  return living;
}

function livingAmong({ dead }: Part, { rows, from, to }: Postings): number {
  let living = to - from;
  if (dead !== null) for (let i = from; i < to; i++) if (hasBit(dead, rows[i] as number)) living--;
  return living;
}

import { type TextCache, textCache } from '../../../platform/text-cache.ts';
import { hasBit } from '../../registry/catalog/bits.ts';
import type { Places } from '../../registry/catalog/places.ts';
import { type View as ListView, viewOf as listViewOf } from '../../registry/catalog/view.ts';
import { findTerm, termsFrom, termsNear } from './dictionary.ts';
import type { Plan, Vocabulary } from './plan.ts';
import { newScratch, postingsOf, type Scratch } from './score.ts';
import type { CapabilitySegment } from './segment.ts';

/** What the building thread hands over: one state of all capabilities. */
export interface IndexState {
  base: CapabilitySegment;
  /** The base's rows that were changed or removed since it was built. */
  dead: Int32Array | null;
  delta: { segment: CapabilitySegment; places: Places } | null;
  version: string;
}

/** One state ready to be read by one thread. */
export interface IndexView {
  version: string;
  base: Part;
  delta: Part | null;
  /** The same as the catalogue's functions read it. */
  list: ListView;
  vocabulary: Vocabulary;
  /** What queries look for, by their text. */
  plans: TextCache<Plan>;
}

/** A segment with what the reading thread keeps beside it. */
export interface Part {
  segment: CapabilitySegment;
  dead: Int32Array | null;
  scratch: Scratch;
}

export function indexViewOf(state: IndexState, before: IndexView | null): IndexView {
  const { version, dead } = state;
  const sameBase = before !== null && before.base.segment.list.json.buffer === state.base.list.json.buffer;
  const base: Part = sameBase
    ? { ...before.base, dead }
    : { segment: state.base, dead, scratch: newScratch(state.base) };
  const delta: Part | null =
    state.delta === null
      ? null
      : { segment: state.delta.segment, dead: null, scratch: newScratch(state.delta.segment) };
  const list = {
    base: base.segment.list,
    dead,
    delta: state.delta && { ...state.delta, segment: state.delta.segment.list },
    version,
  };
  return {
    ...{ version, base, delta },
    list: listViewOf(list, before?.list ?? null),
    vocabulary: vocabularyOf(delta === null ? [base] : [base, delta]),
    plans: textCache({ most_bytes: KNOWN_BYTES, bytesOf: planBytes }),
  };
}

/** So much is kept of what terms, and of what queries, were asked for. */
const KNOWN_BYTES = 2 ** 21;

/** A guess: what stands for a term takes most. */
const planBytes = ({ groups, pairs }: Plan): number =>
  512 + 256 * (pairs.length + groups.reduce((sum, { stands }) => sum + 1 + stands.length, 0));

function vocabularyOf(parts: readonly Part[]): Vocabulary {
  const known: TextCache<number> = textCache({ most_bytes: KNOWN_BYTES, bytesOf: () => 64 });
  const near: TextCache<Near> = textCache({ most_bytes: KNOWN_BYTES, bytesOf: (it) => 64 + 96 * it.length });
  const cached = (key: string, count: () => number): number => {
    let found = known.get(key);
    if (found === undefined) {
      found = count();
      known.set(key, found);
    }
    return found;
  };
  const countIn = (terms: readonly string[]): number => parts.reduce((sum, part) => sum + livingWith(part, terms), 0);
  return {
    count: parts.reduce((sum, { segment, dead }) => sum + livingRows(segment.count, dead), 0),
    stands: textCache({ most_bytes: KNOWN_BYTES, bytesOf: (it) => 64 + 160 * it.length }),
    countOf: (term) => cached(term, () => countIn([term])),
    countAll: (terms) => cached(terms.join(' '), () => countIn(terms)),
    startingWith(start) {
      const counts = new Map<string, number>();
      for (const part of parts)
        for (const { term, at } of termsFrom(part.segment.text, start))
          counts.set(term, (counts.get(term) ?? 0) + livingAt(part, at));
      return Array.from(counts, ([term, count]) => ({ term, count }));
    },
    near: (term, most) => {
      let found = near.get(term);
      if (found === undefined) {
        const distances = new Map(
          parts.flatMap(({ segment }) => [...termsNear(segment.text, term, most)].map((it) => [it.term, it.distance])),
        );
        found = Array.from(distances, ([other, distance]) => ({ term: other, distance }));
        near.set(term, found);
      }
      return found;
    },
  };
}

type Near = ReturnType<Vocabulary['near']>;

function livingRows(count: number, dead: Int32Array | null): number {
  let living = count;
  if (dead !== null) for (let row = 0; row < count; row++) if (hasBit(dead, row)) living--;
  return living;
}

function livingWith(part: Part, terms: readonly string[]): number {
  if (terms.length === 1) {
    const at = findTerm(part.segment.text, terms[0] as string);
    return at < 0 ? 0 : livingAt(part, at);
  }
  const { rows, from, to } = postingsOf(part.segment, part.scratch, terms);
  return livingAmong(part, rows, from, to);
}

const livingAt = (part: Part, term: number): number => {
  const { rows, rowsAt } = part.segment.text;
  return livingAmong(part, rows, rowsAt[term] as number, rowsAt[term + 1] as number);
};

function livingAmong({ dead }: Part, rows: Int32Array, from: number, to: number): number {
  let living = to - from;
  if (dead !== null) for (let i = from; i < to; i++) if (hasBit(dead, rows[i] as number)) living--;
  return living;
}

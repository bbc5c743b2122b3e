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
    : { segment: state.base, dead, scratch: newScratch(state.base.count) };
  const delta: Part | null =
    state.delta === null
      ? null
      : { segment: state.delta.segment, dead: null, scratch: newScratch(state.delta.segment.count) };
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
    countOf: (term) => cached(term, () => countIn([term])),
    countAll: (terms) => cached(terms.join(' '), () => countIn(terms)),
    *startingWith(start) {
      if (parts.length === 1) yield* termsFrom((parts[0] as Part).segment.text, start);
      else yield* new Set(parts.flatMap(({ segment }) => [...termsFrom(segment.text, start)]));
    },
    *near(term, most) {
      const seen = new Set<string>();
      for (const { segment } of parts)
        for (const found of termsNear(segment.text, term, most))
          if (!seen.has(found.term)) {
            seen.add(found.term);
            yield found;
          }
    },
  };
}

function livingRows(count: number, dead: Int32Array | null): number {
  let living = count;
  if (dead !== null) for (let row = 0; row < count; row++) if (hasBit(dead, row)) living--;
  return living;
}

function livingWith({ segment, dead, scratch }: Part, terms: readonly string[]): number {
  if (terms.length === 1 && dead === null) {
    const at = findTerm(segment.text, terms[0] as string);
    return at < 0 ? 0 : (segment.text.rowsAt[at + 1] as number) - (segment.text.rowsAt[at] as number);
  }
  const { rows, from, to } = postingsOf(segment, scratch, terms);
  let living = to - from;
  if (dead !== null) for (let i = from; i < to; i++) if (hasBit(dead, rows[i] as number)) living--;
  return living;
}

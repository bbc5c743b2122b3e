import { defined } from '#core/defined.ts';
import { remembered, type TextCache, textCache } from '#core/text/text-cache.ts';
import { ownTurn } from '#core/threads/own-turn.ts';
import { hasBit } from '../index/bitset.ts';
import { NAME_BIT } from '../index/field-weights.ts';
import type { Postings } from '../index/text-index.ts';
import type { ToolSegment } from '../index/tool-segment.ts';
import { RANKING } from '../ranking.ts';
import { requestWords } from '../text/request-words.ts';
import { toolSynonymsIn } from '../text/synonyms.ts';
import { TOOL_RANKING } from '../tool-ranking.ts';
import { type Aid, isAided } from './aid.ts';
import { type AidedPlace, fuse, mostByWords } from './fuse.ts';
import { heapOf, type ScoredHit } from './heap.ts';
import { loadToolTables } from './load-tables.ts';
import type { TextPart } from './part.ts';
import { expandInTurns, planOf, type QueryPlan } from './query-plan.ts';
import { translatedPlanOf } from './translated-plan.ts';
import { CACHE_BYTES, type Expansion, type Vocabulary, vocabularyOf } from './vocabulary.ts';

/** Tools in some parts, ready to be searched by one thread. */
export interface ToolIndex {
  parts: readonly ToolPart[];
  vocabulary: Vocabulary;
  /** By text. */
  plans: TextCache<QueryPlan>;
  translations: TextCache<QueryPlan | null>;
}

interface ToolPart extends TextPart {
  segment: ToolSegment;
  scratch: Scratch;
}

/** Zeros between two uses, except for `scores` and `rows`. */
interface Scratch {
  /** Points so far, points of the last group, and the weight of the groups that the row has. */
  sums: Float32Array;
  values: Float32Array;
  covered: Float32Array;
  /** The number of the last group, and of the last group that the name has. */
  groups: Uint8Array;
  namedGroups: Uint8Array;
  /** How many groups the name has. */
  named: Uint8Array;
  /** The rows with points, and the score of each. */
  rows: Int32Array;
  scores: Float32Array;
}

export interface ToolPartSource {
  segment: ToolSegment;
  deleted: Int32Array | null;
}

export function toolIndexOf(segments: readonly ToolPartSource[]): ToolIndex {
  const parts = segments.map(({ segment, deleted }, at) => ({ at, segment, deleted, scratch: scratchFor(segment) }));
  const { stop, weak } = requestWords();
  const bytesOf = (plan: QueryPlan | null) => 512 + 256 * (plan?.groups.length ?? 0) * 8;
  return {
    parts,
    vocabulary: vocabularyOf(parts, {
      stop,
      weightOf: (term) => (weak.has(term) ? TOOL_RANKING.weak : 1),
      synonymsIn: toolSynonymsIn,
      synonym: () => TOOL_RANKING.synonym,
      inflects: true,
    }),
    plans: textCache<QueryPlan>({ most_bytes: CACHE_BYTES, bytesOf }),
    translations: textCache<QueryPlan | null>({ most_bytes: CACHE_BYTES, bytesOf }),
  };
}

function scratchFor({ count }: ToolSegment): Scratch {
  const [floats, bytes] = [() => new Float32Array(count), () => new Uint8Array(count)];
  return {
    sums: floats(),
    values: floats(),
    covered: floats(),
    groups: bytes(),
    namedGroups: bytes(),
    named: bytes(),
    rows: new Int32Array(count),
    scores: floats(),
  };
}

export interface ToolHit {
  /** The place of its part, and its row there. */
  part: number;
  row: number;
  score: number;
  /** If models contributed to the order. */
  aided?: AidedPlace;
}

interface ToolRequest {
  text: string;
  limit: number;
  offset: number;
  /** Leaves out other tools; null takes all. */
  isWanted: IsWanted | null;
  /** What an operator's models say about the text. Its hits are positions of tools. */
  aid?: Aid | null;
}

export type IsWanted = (part: number, row: number) => boolean;

/** Longer requests are cut. */
const MOST_TEXT = 1_000;

const searchedText = (text: string): string => text.slice(0, MOST_TEXT).toWellFormed();

/**
 * Plans a request in turns of the event loop, so that a first search of many tools for many words does not hold it. Another search of the
 * same text needs none.
 */
export async function planTools(index: ToolIndex, whole: string): Promise<void> {
  await loadToolTables();
  const text = searchedText(whole);
  if (index.plans.get(text) !== undefined) return;
  await expandInTurns(text, index.vocabulary);
  toolPlanOf(index, text);
  await ownTurn();
}

/** The tools that fit a request, the best first: by words, and by what models say about it. */
export function searchTools(
  index: ToolIndex,
  { text: whole, limit, offset, isWanted, aid: given = null }: ToolRequest,
): { total_count: number; hits: ToolHit[]; plan: QueryPlan } {
  const text = searchedText(whole);
  const { plan, counts } = matchText(index, text);
  const aid = isAided(given) ? given : null;
  const heap = heapOf(aid === null ? offset + limit : mostByWords({ offset, limit }, aid));
  const near = new Set(aid?.nearest.hits);
  const nearScores = new Map<number, number>();
  let total_count = 0;
  index.parts.forEach(({ deleted, scratch: { rows, scores } }, part) => {
    for (let i = 0; i < (counts[part] as number); i++) {
      const row = rows[i] as number;
      if (deleted !== null && hasBit(deleted, row)) continue;
      if (isWanted !== null && !isWanted(part, row)) continue;
      total_count++;
      const score = scores[i] as number;
      const position = toolPosition(part, row);
      if (near.has(position)) nearScores.set(position, score);
      if (score >= heap.least()) heap.offer({ row: position, score, position });
    }
  });
  // After all that match, because of several tools that are the same only the first is wanted.
  for (const position of near) {
    if (nearScores.has(position)) continue;
    const { part, row } = placeOf(position);
    if (isWanted !== null && !isWanted(part, row)) continue;
    nearScores.set(position, 0);
    total_count++;
  }
  const byWords = heap.sorted();
  const hits = aid === null ? byWords : fuse(byWords, aid, (position) => nearScores.get(position) ?? null);
  return { total_count, hits: hits.slice(offset, offset + limit).map(toolHit), plan };
}

function toolHit({ row, score, aided }: ScoredHit & { aided?: AidedPlace }): ToolHit {
  return { ...placeOf(row), score, ...defined({ aided }) };
}

/** Of a part. */
const MOST_ROWS = 2 ** 24;

/** A number that tells the tools of all parts apart. */
export const toolPosition = (part: number, row: number): number => part * MOST_ROWS + row;

const placeOf = (position: number): { part: number; row: number } => ({
  part: Math.floor(position / MOST_ROWS),
  row: position % MOST_ROWS,
});

/** The plan of a text for tools, whether any of them matches or not. */
export const toolPlanOf = ({ plans, vocabulary }: ToolIndex, text: string): QueryPlan =>
  remembered(plans, text, () => planOf(text, vocabulary));

function matchText(index: ToolIndex, text: string): { plan: QueryPlan; counts: number[] } {
  const { parts, vocabulary } = index;
  const score = (plan: QueryPlan): number[] => parts.map((part) => scorePart(part, plan));
  const plan = toolPlanOf(index, text);
  const counts = score(plan);
  const found = counts.reduce((sum, count) => sum + count, 0);
  if (found >= RANKING.few && plan.corrected.length === 0) return { plan, counts };
  const translated = remembered(index.translations, text, () => translatedPlanOf(text, vocabulary));
  return translated === null ? { plan, counts } : { plan: translated, counts: score(translated) };
}

/** Returns how many rows match. They are in the scratch memory with their scores until the next request. */
function scorePart(part: ToolPart, { groups: all }: QueryPlan): number {
  const groups = all.filter(({ idf }) => idf > 0);
  const total = groups.reduce((sum, { idf }) => sum + idf, 0);
  let touched = 0;
  groups.forEach(({ expansions, idf }, at) => {
    for (const expansion of expansions) touched = addExpansion(part, expansion, idf, at + 1, touched);
  });
  return takeMatches(part, { total, least: leastShare(groups.length), touched });
}

const leastShare = (terms: number): number =>
  terms <= 1 ? 0 : Math.max(TOOL_RANKING.never_less, TOOL_RANKING.least_share - TOOL_RANKING.less_share * (terms - 2));

/** From this weight on, an expansion in a name counts for the name: a synonym does, a longer word does not. */
const LEAST_FOR_NAME = 0.65;

/** Of a group's expansions the best counts. Returns how many rows have points. */
function addExpansion(
  { at, scratch }: ToolPart,
  { postings, weight }: Expansion,
  idf: number,
  group: number,
  before: number,
): number {
  const { sums, values, covered, groups, namedGroups, named, rows: touchedRows } = scratch;
  const { rows, weights, from, to } = postings[at] as Postings;
  const each = (weight * idf) / 255;
  const countsForName = weight >= LEAST_FOR_NAME;
  let touched = before;
  for (let i = from; i < to; i++) {
    const row = rows[i] as number;
    const packed = weights[i] as number;
    const points = each * (packed & 255);
    if (groups[row] !== group) {
      if (groups[row] === 0) touchedRows[touched++] = row;
      groups[row] = group;
      values[row] = points;
      sums[row] = (sums[row] as number) + points;
      covered[row] = (covered[row] as number) + idf * weight;
    } else if (points > (values[row] as number)) {
      sums[row] = (sums[row] as number) + points - (values[row] as number);
      values[row] = points;
    }
    if (countsForName && ((packed >> 8) & NAME_BIT) !== 0 && namedGroups[row] !== group) {
      namedGroups[row] = group;
      named[row] = (named[row] as number) + 1;
    }
  }
  return touched;
}

/** Clears the scratch memory. */
function takeMatches(
  { segment: { nameLengths }, scratch }: ToolPart,
  { total, least, touched }: { total: number; least: number; touched: number },
): number {
  const { sums, values, covered, groups, namedGroups, named, rows, scores } = scratch;
  let count = 0;
  for (let i = 0; i < touched; i++) {
    const row = rows[i] as number;
    const share = (covered[row] as number) / total;
    if (share >= least) {
      const words = ((sums[row] as number) / total) * share ** TOOL_RANKING.coverage;
      const length = nameLengths[row] as number;
      const inName = length === 0 ? 0 : Math.min(1, (named[row] as number) / length);
      rows[count] = row;
      scores[count++] = words + TOOL_RANKING.name_covered * inName * share;
    }
    sums[row] = values[row] = covered[row] = 0;
    groups[row] = namedGroups[row] = named[row] = 0;
  }
  return count;
}

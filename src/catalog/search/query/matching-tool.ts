import { lowerBound } from '../index/sorted-rows.ts';
import type { Postings } from '../index/text-index.ts';
import { toolName, toolsOfRow } from '../index/tool-segment.ts';
import { TOOL_FIELDS } from '../tool-ranking.ts';
import type { Aid } from './aid.ts';
import { rowOfHit } from './list-view.ts';
import { type MarketplaceView, partOfHit } from './marketplace-view.ts';
import { toolPlanOf } from './tool-search.ts';
import type { TermGroup } from './vocabulary.ts';

/** The least share of the query's weight that name, title or description of a tool have, beside the name of its server. */
const LEAST_SHARE = 0.4;

/** Fields that say what a tool does. */
const TELLING = TOOL_FIELDS.reduce(
  (bits, field, at) => (field === 'name' || field === 'title' || field === 'summary' ? bits | (1 << at) : bits),
  0,
);

/**
 * Finds the name of the tool that fits a text best among those of a hit: by its words, or else by its meaning, if a model knows it. Null if
 * none fits well.
 */
export function toolFinder(
  view: MarketplaceView,
  text: string,
  aid: Aid | null = null,
): (hit: number) => string | null {
  const index = view.tools();
  if (index.vocabulary.count === 0) return () => null;
  const near = nearestOf(view, aid);
  const groups = toolPlanOf(index, text).groups.filter(({ idf }) => idf > 0);
  const total = groups.reduce((sum, { idf }) => sum + idf, 0);
  return (hit) => {
    const { at, segment } = partOfHit(view, hit);
    const [from, to] = toolsOfRow(segment.tools, rowOfHit(hit));
    if (from === to) return null;
    const byMeaning = near.get(hit);
    if (total === 0) return byMeaning ?? null;
    const scores = new Float64Array(to - from);
    for (const group of groups) addGroup(scores, group, at, from, to);
    const best = scores.reduce((most, score, i) => (score > (scores[most] as number) ? i : most), 0);
    return (scores[best] as number) / total < LEAST_SHARE ? (byMeaning ?? null) : toolName(segment.tools, from + best);
  };
}

/** The nearest tool of each capability that has one among the nearest. */
function nearestOf(view: MarketplaceView, aid: Aid | null): Map<number, string> {
  const names = new Map<number, string>();
  for (const hit of aid?.tools?.hits ?? []) {
    const { tools } = partOfHit(view, hit).segment;
    const row = rowOfHit(hit);
    const owner = tools.owners[row] as number;
    const key = hit >= 0 ? owner : -1 - owner;
    if (!names.has(key)) names.set(key, toolName(tools, row));
  }
  return names;
}

/** Adds a group's weight to the tools from `from` to before `to` that have one of its expansions where it tells what they do. */
function addGroup(scores: Float64Array, { expansions, idf }: TermGroup, part: number, from: number, to: number): void {
  const had = new Float64Array(scores.length);
  for (const { postings, weight } of expansions) {
    const { rows, weights, from: first, to: end } = postings[part] as Postings;
    const start = first + lowerBound(rows.subarray(first, end), from);
    for (let i = start; i < end && (rows[i] as number) < to; i++) {
      const packed = weights[i] as number;
      if (((packed >> 8) & TELLING) === 0) continue;
      const tool = (rows[i] as number) - from;
      // Of two tools with the same words, the one that is more about them.
      const points = idf * weight * (1 + (packed & 255) / 2_550);
      had[tool] = Math.max(had[tool] as number, points);
    }
  }
  had.forEach((points, tool) => {
    scores[tool] = (scores[tool] as number) + points;
  });
}

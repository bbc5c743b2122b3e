import { lowerBound } from '../index/sorted-rows.ts';
import type { Part } from './part.ts';

/**
 * Adds rows with their scores to the first `count` of the scratch memory. Both are ascending. A row that is there already keeps the larger
 * score. Returns how many rows there are.
 */
export function mergeRows(
  { scratch: { rows, scores } }: Part,
  count: number,
  more: Int32Array,
  scoresOfMore: Float64Array,
): number {
  const matched = rows.subarray(0, count);
  const added: number[] = [];
  more.forEach((row, i) => {
    const at = lowerBound(matched, row);
    if (matched[at] === row) scores[at] = Math.max(scores[at] as number, scoresOfMore[i] as number);
    else added.push(i);
  });
  const all = count + added.length;
  let last = count - 1;
  for (let to = all - 1; added.length > 0; to--) {
    const next = added[added.length - 1] as number;
    if (last >= 0 && (rows[last] as number) > (more[next] as number)) {
      rows[to] = rows[last] as number;
      scores[to] = scores[last--] as number;
    } else {
      rows[to] = more[next] as number;
      scores[to] = scoresOfMore[next] as number;
      added.pop();
    }
  }
  return all;
}

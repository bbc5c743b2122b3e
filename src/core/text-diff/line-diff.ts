import { structuredPatch } from 'diff';

/** The line diff of two untrusted texts. Pure. */

export interface Hunk {
  /** `@@ -1,3 +1,4 @@`, as in unified diffs. */
  head: string;
  lines: readonly { kind: 'same' | 'added' | 'removed'; text: string }[];
}

const KINDS = { '+': 'added', '-': 'removed', ' ': 'same' } as const;
/** Longer edit scripts are not searched for, because texts without common lines take quadratic time. */
const MOST_EDITS = 2_000;
const MOST_MS = 500;

/** Returns null if the texts differ too much for a line diff. */
export function lineDiff(from: string, to: string): Hunk[] | null {
  const patch = structuredPatch('', '', from, to, '', '', {
    context: 3,
    maxEditLength: MOST_EDITS,
    timeout: MOST_MS,
  });
  if (patch === undefined) return null;
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    head: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    // `\ No newline at end of file` is not a line of either text.
    lines: lines.flatMap((line) => {
      const kind = KINDS[line[0] as '+'];
      return kind === undefined ? [] : [{ kind, text: line.slice(1) }];
    }),
  }));
}

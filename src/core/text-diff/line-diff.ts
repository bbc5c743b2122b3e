import { structuredPatch } from 'diff';

/** What changed between two texts that anybody may have written, line by line. Pure. */

export interface Hunk {
  /** `@@ -1,3 +1,4 @@`, as everybody knows it. */
  head: string;
  lines: readonly { kind: 'same' | 'added' | 'removed'; text: string }[];
}

const KINDS = { '+': 'added', '-': 'removed', ' ': 'same' } as const;
/** Longer ways from one text to the other are not looked for: two texts that share nothing take the square of it. */
const MOST_EDITS = 2_000;
const MOST_MS = 500;

/** Null where the texts differ in too much to be told line by line. */
export function lineDiff(from: string, to: string): Hunk[] | null {
  const patch = structuredPatch('', '', from, to, '', '', {
    context: 3,
    maxEditLength: MOST_EDITS,
    timeout: MOST_MS,
  });
  if (patch === undefined) return null;
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    head: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    // `\ No newline at end of file` is no line of either.
    lines: lines.flatMap((line) => {
      const kind = KINDS[line[0] as '+'];
      return kind === undefined ? [] : [{ kind, text: line.slice(1) }];
    }),
  }));
}

import { structuredPatch } from 'diff';

/** What changed between two versions: which files, and in texts which lines. */

export interface File {
  path: string;
  size: number;
  sha256: string;
}

export interface FileChange {
  path: string;
  change: 'added' | 'removed' | 'changed';
  from: File | null;
  to: File | null;
}

/** By path. */
export function changedFiles(from: readonly File[], to: readonly File[]): FileChange[] {
  const [old, fresh] = [byPath(from), byPath(to)];
  return [...new Set([...old.keys(), ...fresh.keys()])].sort().flatMap((path): FileChange[] => {
    const [a, b] = [old.get(path) ?? null, fresh.get(path) ?? null];
    if (a?.sha256 === b?.sha256) return [];
    return [{ path, change: a === null ? 'added' : b === null ? 'removed' : 'changed', from: a, to: b }];
  });
}

const byPath = (files: readonly File[]): Map<string, File> => new Map(files.map((it) => [it.path, it]));

export interface Hunk {
  /** `@@ -1,3 +1,4 @@`, as everybody knows it. */
  head: string;
  lines: readonly { kind: 'same' | 'added' | 'removed'; text: string }[];
}

const KINDS = { '+': 'added', '-': 'removed', ' ': 'same' } as const;
/** Longer ways from one text to the other are not looked for: two texts that share nothing take the square of it. */
const MOST_EDITS = 2_000;
const MOST_MS = 200;

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

/** The differences between two versions: files, and lines of text files. */

interface File {
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

/** Sorted by path. */
export function changedFiles(from: readonly File[], to: readonly File[]): FileChange[] {
  const [old, fresh] = [byPath(from), byPath(to)];
  return [...new Set([...old.keys(), ...fresh.keys()])].sort().flatMap((path): FileChange[] => {
    const [a, b] = [old.get(path) ?? null, fresh.get(path) ?? null];
    if (a?.sha256 === b?.sha256) return [];
    return [{ path, change: a === null ? 'added' : b === null ? 'removed' : 'changed', from: a, to: b }];
  });
}

const byPath = (files: readonly File[]): Map<string, File> => new Map(files.map((file) => [file.path, file]));

export interface Hunk {
  /** A unified diff header such as `@@ -1,3 +1,4 @@`. */
  head: string;
  lines: readonly { kind: 'same' | 'added' | 'removed'; text: string }[];
}

import { type Hunk, lineDiff } from './line-diff.ts';

/** Runs in a worker thread: computes the lines that differ. */
export const run = ({ from, to }: { from: string; to: string }): Hunk[] | null => lineDiff(from, to);

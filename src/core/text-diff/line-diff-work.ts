import { type Hunk, lineDiff } from './line-diff.ts';

/** Work for a thread of the worker pool: which lines of two texts differ. */
export const run = ({ from, to }: { from: string; to: string }): Hunk[] | null => lineDiff(from, to);

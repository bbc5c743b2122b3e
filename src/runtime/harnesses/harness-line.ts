import type { HarnessMade } from './change-harnesses.ts';
import type { Harness } from './harnesses.ts';

/** A harness as its owner sees it. */
export const harnessLine = ({ number: _, user_id: __, ...harness }: Harness) => harness;

const MOST_WARNINGS = 100;

export const madeAnswer = ({ harness, is_new, warnings }: HarnessMade) => ({
  ...harnessLine(harness),
  is_new,
  warnings: warnings.slice(0, MOST_WARNINGS),
});

import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '#core/record.ts';
import type { Expectation } from './rig.ts';

/** The checks of a rig: inputs and the expected results. Pure. */

export interface CheckResult {
  name: string;
  passed: boolean;
  /** The failed expectations; "" if it passed. */
  detail: string;
  trace_id: string | null;
}

/** The result of a run. */
interface Shown {
  status: string;
  exit_code: number | null;
  output: unknown;
  error: string | null;
  stderr: string;
}

/** One sentence each; empty if the check passed. A run that is not expected to fail must complete. */
export function unmet(expect: Expectation, run: Shown): string[] {
  const wrong: string[] = [];
  const fails = (expect.exit_code ?? 0) !== 0 || expect.error_contains !== undefined;
  const status = expect.status ?? (fails ? 'failed' : 'completed');
  if (run.status !== status)
    wrong.push(`It ${run.status}, expected ${status}${run.error === null ? '' : `: ${run.error}`}`);
  // Answers of a language model have no exit code.
  if (expect.exit_code !== undefined && run.exit_code !== null && run.exit_code !== expect.exit_code)
    wrong.push(`Exit code ${run.exit_code}, expected ${expect.exit_code}.`);
  const said = `${run.stderr}\n${run.error ?? ''}`;
  if (expect.error_contains !== undefined && !said.includes(expect.error_contains))
    wrong.push(`The error lacks ${JSON.stringify(expect.error_contains)}.`);
  if (Object.hasOwn(expect, 'output') && !isDeepStrictEqual(run.output, expect.output))
    wrong.push('The output differs.');
  if (Object.hasOwn(expect, 'output_contains') && !contains(run.output, expect.output_contains))
    wrong.push('The output does not contain the expected values.');
  return wrong;
}

/** The listed members, each listed element in any place, a piece of a text. */
function contains(whole: unknown, part: unknown): boolean {
  if (typeof whole === 'string' && typeof part === 'string') return whole.includes(part);
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((value) => whole.some((other) => contains(other, value)));
  if (!isRecord(part)) return isDeepStrictEqual(whole, part);
  return (
    isRecord(whole) &&
    Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && contains(whole[key], value))
  );
}

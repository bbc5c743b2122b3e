import type { Problem } from '#core/problem/problem.ts';
import { jsonFault } from '#core/text/keepable.ts';
import { runtimeProblem } from '#runtime/errors.ts';

const MOST_INPUT_BYTES = 512 * 1024;

/** A task's input as it is stored. Throws `runs.input_invalid` (`input`). */
export function readInput(value: unknown): string {
  const fault = jsonFault(value);
  if (fault !== null) throw unfit(fault);
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > MOST_INPUT_BYTES) throw unfit(`has more than ${MOST_INPUT_BYTES} bytes as JSON`);
  return text;
}

const unfit = (detail: string): Problem =>
  runtimeProblem('runs.input_invalid', `The input ${detail}.`, {
    reason: 'input',
    errors: [{ pointer: '/input', detail }],
  });

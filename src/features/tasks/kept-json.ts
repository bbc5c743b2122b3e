import { Problem } from '../../platform/problem.ts';

/** JSON that can be stored, signed and checked again: what is read back is what was given (RFC 8785 over I-JSON). */

const MOST_INPUT_BYTES = 512 * 1024;
/** Writers and checkers of JSON recurse. */
const MOST_DEPTH = 200;

/** Why a value is no such JSON; null where it is. */
export function jsonFault(value: unknown): string | null {
  const rest = [{ value, depth: 0 }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { value, depth } = next;
    if (typeof value === 'number' && !Number.isFinite(value)) return 'holds a number out of range';
    if (typeof value === 'string' && !value.isWellFormed()) return 'holds half of a surrogate pair';
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= MOST_DEPTH) return `is nested deeper than ${MOST_DEPTH} levels`;
    const members = Array.isArray(value) ? value : Object.entries(value).flat();
    for (const member of members) rest.push({ value: member, depth: depth + 1 });
  }
  return null;
}

/** A task's input as it is stored. Throws `tasks.input_unfit`. */
export function readInput(value: unknown): string {
  const fault = jsonFault(value);
  if (fault !== null) throw unfit(fault);
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > MOST_INPUT_BYTES) throw unfit(`has more than ${MOST_INPUT_BYTES} bytes as JSON`);
  return text;
}

/** What a run gave, as it is stored and signed: as text where it is no such JSON, and null where it is nothing. */
export function keptOutput({ output, stdout }: { output: unknown; stdout: string }): unknown {
  if (output === undefined || output === null || output === '') return null;
  if (jsonFault(output) === null) return output;
  return (stdout === '' ? JSON.stringify(output) : stdout).toWellFormed();
}

const unfit = (detail: string): Problem =>
  new Problem('unprocessable', 'tasks.input_unfit', `The input ${detail}.`, {
    errors: [{ pointer: '/input', detail }],
  });

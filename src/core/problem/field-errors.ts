import type { FieldError } from './problem.ts';

/** Limits field errors in responses, because their number and length depend on the input. */

const MAX_ERRORS = 20;
/** Errors named in the detail itself; `errors` has the rest. */
const NAMED_ERRORS = 3;
const MAX_POINTER_CHARS = 200;
const MAX_DETAIL_CHARS = 400;
const MAX_NAMES = 10;
const MAX_NAME_CHARS = 60;

interface BoundErrors {
  errors: FieldError[];
  /** How many were omitted. */
  more: number;
}

/** Returns the first 20 errors with shortened texts. */
export const boundErrors = (errors: readonly FieldError[]): BoundErrors => ({
  errors: errors.slice(0, MAX_ERRORS).map(({ pointer, detail }) => ({
    pointer: shorten(pointer, MAX_POINTER_CHARS),
    detail: shorten(detail, MAX_DETAIL_CHARS),
  })),
  more: Math.max(0, errors.length - MAX_ERRORS),
});

/** Such as `limit must be a whole number; q is unknown; and 5 more`. `self` names the input itself. */
export function describeErrors({ errors, more }: BoundErrors, self: string): string {
  const named = errors.slice(0, NAMED_ERRORS).map(({ pointer, detail }) => `${nameOf(pointer) || self} ${detail}`);
  const left = errors.length - named.length + more;
  return left === 0 ? named.join('; ') : `${named.join('; ')}; and ${left} more`;
}

/** Lists names from the input in a sentence. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => shorten(name, MAX_NAME_CHARS));
  const left = names.length - shown.length;
  return left === 0 ? shown.join(', ') : `${shown.join(', ')} and ${left} more`;
}

export const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;

/** Shows a pointer of one step as the name itself. */
function nameOf(pointer: string): string {
  const name = pointer.slice(1);
  return /[~/]/.test(name) ? pointer : name;
}

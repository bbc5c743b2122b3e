/** Checks whether untrusted JSON can be processed, signed and stored. Pure. */

/** Many JSON functions are recursive. */
export const MAX_NESTING = 200;

/** Returns whether a JSON value is nested deeper than that or has a number out of range, without recursion. */
export const isNestedTooDeep = (value: unknown): boolean => faultOf(value, false) !== null;

/** Returns why a JSON value is rejected, as the end of a sentence; null if it is accepted. */
export const jsonFault = (value: unknown): string | null => faultOf(value, true);

function faultOf(value: unknown, wholeCharacters: boolean): string | null {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const current = at.value;
    // JSON's 1e999 is parsed as infinity, which JSON cannot represent.
    if (typeof current === 'number' && !Number.isFinite(current)) return 'contains a number out of range';
    if (wholeCharacters && typeof current === 'string' && !current.isWellFormed()) return HALF;
    if (typeof current !== 'object' || current === null) continue;
    if (at.depth >= MAX_NESTING) return `is nested more than ${MAX_NESTING} levels deep`;
    for (const [key, member] of Object.entries(current)) {
      if (wholeCharacters && !key.isWellFormed()) return HALF;
      open.push({ value: member, depth: at.depth + 1 });
    }
  }
  return null;
}

const HALF = 'contains an unpaired surrogate';

/** Replaces lone surrogates, as canonical JSON requires. For values that are not nested too deep. */
export function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)])) as T;
}

/** The output of a run: null if empty, or its text if the value cannot be stored. */
export function keepable(output: unknown, text: string): unknown {
  if (output === undefined || output === '') return null;
  return isNestedTooDeep(output) ? text.toWellFormed() : wellFormed(output);
}

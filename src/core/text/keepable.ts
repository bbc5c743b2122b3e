/** JSON that can be looked at, signed and stored, whoever wrote it. Pure. */

/** Many ways to read JSON call themselves. */
export const MAX_NESTING = 200;

/** Whether a JSON value is nested deeper than that, or holds a number out of range; found without calling itself. */
export const isNestedTooDeep = (value: unknown): boolean => faultOf(value, false) !== null;

/** Why a JSON value is not taken, as the end of a sentence; null where it is. */
export const jsonFault = (value: unknown): string | null => faultOf(value, true);

function faultOf(value: unknown, whole_characters: boolean): string | null {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const current = at.value;
    // JSON's 1e999 is read as infinity, which no JSON can say.
    if (typeof current === 'number' && !Number.isFinite(current)) return 'contains a number out of range';
    if (whole_characters && typeof current === 'string' && !current.isWellFormed()) return HALF;
    if (typeof current !== 'object' || current === null) continue;
    if (at.depth >= MAX_NESTING) return `is nested more than ${MAX_NESTING} levels deep`;
    for (const [key, member] of Object.entries(current)) {
      if (whole_characters && !key.isWellFormed()) return HALF;
      open.push({ value: member, depth: at.depth + 1 });
    }
  }
  return null;
}

const HALF = 'contains an unpaired surrogate';

/** The same with whole characters only, as canonical JSON asks for. For values that are not nested too deep. */
export function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)])) as T;
}

/** A run's output: null where it is nothing, its text where the value could not be kept. */
export function keepable(output: unknown, text: string): unknown {
  if (output === undefined || output === '') return null;
  return isNestedTooDeep(output) ? text.toWellFormed() : wellFormed(output);
}

/** Checks whether untrusted JSON can be processed, signed and stored. Pure. */

/** Many JSON functions are recursive. */
export const MAX_NESTING = 200;

/** Returns whether a JSON value is nested deeper than that or has a number out of range, without recursion. */
export const isNestedTooDeep = (value: unknown): boolean => faultOf(value, false) !== null;

/** Returns why a JSON value is rejected, as the end of a sentence; null if it is accepted. */
export const jsonFault = (value: unknown): string | null => faultOf(value, true);

/** Only objects and lists are put off: a large value has far more texts and numbers than those. */
function faultOf(value: unknown, wholeCharacters: boolean): string | null {
  const open: object[] = [];
  const depths: number[] = [];
  const look = (member: unknown, depth: number): string | null => {
    // JSON's 1e999 is parsed as infinity, which JSON cannot represent.
    if (typeof member === 'number') return Number.isFinite(member) ? null : 'contains a number out of range';
    if (typeof member === 'string') return wholeCharacters && !member.isWellFormed() ? HALF : null;
    if (typeof member !== 'object' || member === null) return null;
    if (depth >= MAX_NESTING) return `is nested more than ${MAX_NESTING} levels deep`;
    open.push(member);
    depths.push(depth);
    return null;
  };
  let fault = look(value, 0);
  while (fault === null && open.length > 0) {
    const current = open.pop() as object;
    const depth = (depths.pop() as number) + 1;
    fault = Array.isArray(current)
      ? firstFault(current, (member) => look(member, depth))
      : firstFault(Object.keys(current), (key) =>
          wholeCharacters && !key.isWellFormed() ? HALF : look((current as Record<string, unknown>)[key], depth),
        );
  }
  return fault;
}

function firstFault<T>(entries: readonly T[], faultIn: (entry: T) => string | null): string | null {
  for (const entry of entries) {
    const fault = faultIn(entry);
    if (fault !== null) return fault;
  }
  return null;
}

const HALF = 'contains an unpaired surrogate';

/** Replaces lone surrogates, as canonical JSON requires. For values that are not nested too deep; most have none. */
export const wellFormed = <T>(value: T): T => (jsonFault(value) === null ? value : repaired(value));

function repaired<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed() as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(repaired) as T;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), repaired(item)])) as T;
}

/** The output of a run: null if empty, or its text if the value cannot be stored. */
export function keepable(output: unknown, text: string): unknown {
  if (output === undefined || output === '') return null;
  return isNestedTooDeep(output) ? text.toWellFormed() : wellFormed(output);
}

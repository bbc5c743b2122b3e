import type { XSchema } from 'typebox/schema';
import { type CheapSchema, cheapSchema } from './cheap-schema.ts';
import { type Checked, checkAgainst } from './check.ts';
import { validation } from './compile.ts';

/** Checks against untrusted schemas that are certain to be cheap, so that they need no thread. */

/** Parts of the schema times parts of the value. A pair takes less than a microsecond. */
const MOST_PAIRS = 20_000;
/** Of the value, and of what all formats read of it together. */
const MOST_CHARACTERS = 20_000;

const known = new WeakMap<object, CheapSchema | null>();

/** Null if the check is not certain to be cheap. The schema is acceptable (`schemaFault`), and must not change later. */
export function cheapCheck(schema: Record<string, unknown>, input: unknown): Checked | null {
  let cheap = known.get(schema);
  if (cheap === undefined) {
    cheap = cheapSchema(schema);
    known.set(schema, cheap);
  }
  if (cheap === null) return null;
  const { schema: inlined, size, formats } = cheap;
  if (!isSmall(input, MOST_PAIRS / size, MOST_CHARACTERS / Math.max(1, formats))) return null;
  try {
    return validation().Check(inlined as XSchema, input) ? { errors: [] } : checkAgainst(inlined, input);
  } catch {
    // A keyword with a value that it cannot have.
    return null;
  }
}

function isSmall(input: unknown, mostParts: number, mostCharacters: number): boolean {
  const open: unknown[] = [input];
  let parts = 0;
  let characters = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') characters += value.length;
    if (++parts > mostParts || characters > mostCharacters) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      characters += key.length;
      open.push(member);
    }
  }
  return true;
}

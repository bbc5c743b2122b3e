import { type Checked, checkAgainst } from './check.ts';
import { validation } from './compile.ts';
import { compilePattern, type Pattern } from './linear-pattern.ts';

/** In a thread of the worker pool: a schema that somebody else wrote, and an input for it. */

// Loaded now, so that the first check does not pay for it.
validation();

export function run({ schema, input }: { schema: Record<string, unknown>; input: unknown }): Checked {
  return withLinearPatterns(() => checkAgainst(schema, input));
}

/**
 * TypeBox compiles the patterns of `pattern` and `patternProperties` by `new RegExp`, anew for every value, and has no
 * setting for another way. So the global constructor is another one while it checks, which it does in one go.
 */
function withLinearPatterns<T>(check: () => T): T {
  const Native = globalThis.RegExp;
  const compiled = new Map<string, Pattern>();
  function LinearRegExp(source: string): Pattern {
    const pattern = compiled.get(source) ?? compilePattern(source, Native);
    compiled.set(source, pattern);
    return pattern;
  }
  globalThis.RegExp = LinearRegExp as unknown as RegExpConstructor;
  try {
    return check();
  } finally {
    globalThis.RegExp = Native;
  }
}

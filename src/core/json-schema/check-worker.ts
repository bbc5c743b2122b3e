import { type Checked, checkAgainst } from './check.ts';
import { validation } from './compile.ts';
import { compilePattern, type Pattern } from './linear-pattern.ts';

/** Runs in a worker thread: checks an input against an untrusted schema. */

// Loaded here, so that the first check does not pay for it.
validation();

export function run({ schema, input }: { schema: Record<string, unknown>; input: unknown }): Checked {
  return withLinearPatterns(() => checkAgainst(schema, input));
}

/**
 * TypeBox compiles `pattern` and `patternProperties` with `new RegExp` for every value, without a setting for another
 * engine. So the global constructor is replaced during a check, which is synchronous.
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

import { createRequire } from 'node:module';
import type { Static, TSchema } from 'typebox';
import type * as Validation from 'typebox/schema';

/** Validates values with TypeBox's JSON Schema compiler and interpreter. */

export interface Compiled<S extends TSchema> {
  check(value: unknown): value is Static<S>;
  /** In the order of discovery; `keyword` is the JSON Schema keyword. */
  errors(value: unknown): Fault[];
}

export type Fault = ReturnType<typeof Validation.Errors>[1][number];

const require = createRequire(import.meta.url);
let loaded: typeof Validation | undefined;

/** Loaded with the first validated value, because it takes 5 MB. */
export function validation(): typeof Validation {
  loaded ??= require('typebox/schema') as typeof Validation;
  return loaded;
}

/** Compiled on first use: most schemas of a process are never used, and compiling takes time and memory. */
export function compile<S extends TSchema>(schema: S): Compiled<S> {
  let compiled: Validation.Validator | undefined;
  const validator = (): Validation.Validator => {
    compiled ??= validation().Compile(schema as Validation.XSchema);
    return compiled;
  };
  return {
    check: (value): value is Static<S> => validator().Check(value),
    errors: (value) => validator().Errors(value)[1],
  };
}

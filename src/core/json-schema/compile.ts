import { createRequire } from 'node:module';
import type { Static, TSchema } from 'typebox';
import type * as Validation from 'typebox/schema';

/** Values against schemas, by TypeBox's compiler for JSON Schema and its interpreter. */

export interface Compiled<S extends TSchema> {
  check(value: unknown): value is Static<S>;
  /** In the order they are found; `keyword` is JSON Schema's. */
  errors(value: unknown): Fault[];
}

export type Fault = ReturnType<typeof Validation.Errors>[1][number];

const require = createRequire(import.meta.url);
let loaded: typeof Validation | undefined;

/** Loaded with the first value that is checked: a start without requests does without its 5 MB. */
export function validation(): typeof Validation {
  loaded ??= require('typebox/schema') as typeof Validation;
  return loaded;
}

/** Compiled at the first use: most schemas of a process are never used, and a compiled one takes time and memory. */
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

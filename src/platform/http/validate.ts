import type { TSchema } from 'typebox';
import { compile } from '../json-schema/compile.ts';
import type { FieldError } from '../problem.ts';

/** A compiled schema that answers with pointers and what is allowed there; an empty list where the value fits. */
export type Validate = (value: unknown) => FieldError[];

const MAX_ERRORS = 20;

export function compileSchema(schema: TSchema): Validate {
  const compiled = compile(schema);
  return (value) => {
    if (compiled.check(value)) return [];
    const errors = compiled.errors(value).filter((it) => it.keyword !== 'boolean' && it.keyword !== 'anyOf');
    // What the check refuses stays refused, even where every error was one that says nothing.
    if (errors.length === 0) return [{ pointer: '', detail: 'does not fit its schema' }];
    return errors.slice(0, MAX_ERRORS).map((it) => ({ pointer: it.instancePath, detail: describe(it) }));
  };
}

function describe(error: { keyword: string; message: string; params: unknown }): string {
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
  if (error.keyword === 'additionalProperties')
    return `has unknown fields: ${(params.additionalProperties as string[]).join(', ')}`;
  return error.message;
}

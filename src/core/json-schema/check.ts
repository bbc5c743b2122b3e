import type { XSchema } from 'typebox/schema';
import { type FieldError, pointerTo } from '#core/problem/problem.ts';
import { type Fault, validation } from './compile.ts';

export type Checked = { errors: FieldError[] } | { unusable: string };

const MAX_ERRORS = 20;
const MAX_DETAIL = 300;

/** Interprets JSON Schema 2020-12 and 07 without compiling it to code. The caller limits time and memory. */
export function checkAgainst(schema: Record<string, unknown>, input: unknown): Checked {
  let result: [boolean, Fault[]];
  try {
    result = validation().Errors(schema as XSchema, input);
  } catch {
    return { unusable: 'has a circular reference or an invalid pattern' };
  }
  const [fits, found] = result;
  if (fits) return { errors: [] };
  const errors = found.filter((error) => error.keyword !== 'boolean').flatMap(errorsOf);
  // A value that fails the check is rejected, even if the library reports no specific error.
  return { errors: errors.length === 0 ? [{ pointer: '', detail: 'does not match the schema' }] : unique(errors) };
}

function errorsOf({ keyword, instancePath, message, params }: Fault): FieldError[] {
  const some = params as unknown as Record<string, unknown>;
  const at = (pointer: string, detail: string): FieldError => ({ pointer, detail: detail.slice(0, MAX_DETAIL) });
  if (keyword === 'required')
    return names(some.requiredProperties).map((name) => at(instancePath + pointerTo(name), 'is missing'));
  if (keyword === 'additionalProperties')
    return names(some.additionalProperties).map((name) => at(instancePath + pointerTo(name), 'is unknown'));
  if (keyword === 'enum') return [at(instancePath, `must be one of ${JSON.stringify(some.allowedValues)}`)];
  if (keyword === 'const') return [at(instancePath, `must be ${JSON.stringify(some.allowedValue)}`)];
  return [at(instancePath, message)];
}

const names = (list: unknown): string[] => (Array.isArray(list) ? list.slice(0, MAX_ERRORS).map(String) : []);

const unique = (errors: FieldError[]): FieldError[] =>
  [...new Map(errors.map((error) => [`${error.pointer} ${error.detail}`, error])).values()].slice(0, MAX_ERRORS);

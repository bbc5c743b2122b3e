import type { TSchema } from 'typebox';
import { coreProblem } from '#core/errors.ts';
import { Type } from '#core/json-schema/type.ts';
import { boundErrors, describeErrors } from '#core/problem/field-errors.ts';
import { type FieldError, pointerTo } from '#core/problem/problem.ts';
import { boundForm, boundJson } from './body-bounds.ts';
import type { Incoming } from './incoming.ts';
import type { OperationBase } from './operation.ts';
import { compileSchema } from './validate.ts';

/** Reads and validates the body of an operation. */

type ReadBody = (request: Incoming) => unknown;

/** A body with only optional fields can be omitted. Without a schema, the body is an object without fields. */
export function bodyReader({ method, body: schema, reads = 'json' }: OperationBase): ReadBody {
  if (reads === 'text') return ({ body }) => body ?? '';
  if (schema === undefined) return method === 'GET' ? () => null : nothingReader();
  const check = compileSchema(schema);
  const mayLeaveOut = bodyMayBeLeftOut(schema);
  const read = reads === 'form' ? readForm : readJson;
  return (request) => {
    const body = mayLeaveOut && isLeftOut(request, reads) ? {} : read(request);
    refuse(check(body), 'body');
    return body;
  };
}

/** True if an empty object is valid because no field is required. */
export function bodyMayBeLeftOut(schema: TSchema): boolean {
  const {
    type,
    required = [],
    minProperties = 0,
  } = schema as { type?: string; required?: string[]; minProperties?: number };
  return type === 'object' && required.length === 0 && minProperties === 0;
}

function nothingReader(): ReadBody {
  const check = compileSchema(Type.Object({}, { additionalProperties: false }));
  return (request) => {
    if (isLeftOut(request, 'json')) return null;
    refuse(check(readJson(request)), 'body');
    return null;
  };
}

/** A cross-site form always sends its media type, so a request without one, or with JSON, is not one. */
const isLeftOut = ({ headers: { 'content-type': type }, body }: Incoming, reads: 'json' | 'form'): boolean =>
  (body ?? '') === '' && (type === undefined || (reads === 'form' ? FORM_TYPE : JSON_TYPE).test(type));

const JSON_TYPE = /^application\/(?:[^\s;]+\+)?json\s*(?:;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

function readJson({ headers, body }: Incoming): unknown {
  demand(headers['content-type'], JSON_TYPE, 'application/json');
  const text = (body as string | undefined) ?? '';
  boundJson(text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw coreProblem('http.invalid', 'The body is not valid JSON.', { reason: 'json', cause });
  }
}

/** A field that is sent twice is ambiguous, so it is rejected. */
function readForm({ headers, body }: Incoming): Record<string, string> {
  demand(headers['content-type'], FORM_TYPE, 'application/x-www-form-urlencoded');
  const text = (body as string | undefined) ?? '';
  boundForm(text);
  const fields = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) repeated.add(name);
    fields.set(name, value);
  }
  refuse(
    [...repeated].map((name) => ({ pointer: pointerTo(name), detail: 'must be sent once' })),
    'body',
  );
  return Object.fromEntries(fields);
}

function demand(type: string | undefined, allowed: RegExp, name: string): void {
  if (type !== undefined && allowed.test(type)) return;
  throw coreProblem('http.unsupported_media_type', `Unsupported media type. Send the body as ${name}.`);
}

/** Throws `http.invalid` (`input`) with the first errors, if there are any. */
export function refuse(found: readonly FieldError[], where: 'path' | 'query' | 'body'): void {
  if (found.length === 0) return;
  const bound = boundErrors(found);
  const detail = `Invalid ${where}: ${describeErrors(bound, `the ${where}`)}.`;
  throw coreProblem('http.invalid', detail, { reason: 'input', errors: bound.errors });
}

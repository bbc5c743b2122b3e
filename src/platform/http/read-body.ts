import { type FieldError, Problem, pointerTo } from '../problem.ts';
import type { Asked } from './asked.ts';
import type { OperationBase } from './operation.ts';
import { compileSchema } from './validate.ts';

/** How an operation's body is read and checked. */

export function bodyReader({ body: schema, reads = 'json' }: OperationBase): (request: Asked) => unknown {
  if (schema === undefined) return () => null;
  if (reads === 'text') return ({ body }) => body ?? '';
  const check = compileSchema(schema);
  const read = reads === 'form' ? readForm : readJson;
  return (request) => {
    const body = read(request);
    refuse(check(body), 'body');
    return body;
  };
}

const JSON_TYPE = /^application\/(.+\+)?json\s*(;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

function readJson({ headers, body }: Asked): unknown {
  demand(headers['content-type'], JSON_TYPE, 'application/json');
  try {
    return JSON.parse((body as string | undefined) ?? '');
  } catch (cause) {
    throw new Problem('invalid_request', 'http.malformed_json', 'The body is not valid JSON.', { cause });
  }
}

/** A field that is sent twice could be read in two ways, so it is refused. */
function readForm({ headers, body }: Asked): Record<string, string> {
  demand(headers['content-type'], FORM_TYPE, 'application/x-www-form-urlencoded');
  const fields = [...new URLSearchParams((body as string | undefined) ?? '')];
  const names = fields.map(([name]) => name);
  const repeated = names.filter((name, at) => names.indexOf(name) !== at);
  refuse(
    [...new Set(repeated)].map((name) => ({ pointer: pointerTo(name), detail: 'must be sent once' })),
    'body',
  );
  return Object.fromEntries(fields);
}

function demand(type: string | undefined, allowed: RegExp, name: string): void {
  if (type !== undefined && allowed.test(type)) return;
  throw new Problem('unsupported_media_type', 'http.unsupported_media_type', `Send the body as ${name}.`);
}

export function refuse(errors: FieldError[], where: 'path' | 'query' | 'body'): void {
  if (errors.length === 0) return;
  const named = errors.map((it) => `${nameOf(it)} ${it.detail}`).join('; ');
  throw new Problem('invalid_request', 'http.invalid_input', `The ${where} does not fit: ${named}.`, { errors });
}

const nameOf = ({ pointer: at }: FieldError): string =>
  at === '' ? 'it' : at === pointerTo(at.slice(1)) ? at.slice(1) : at;

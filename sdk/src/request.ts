import { CapstanError } from './capstan-error.ts';
import type { Operation } from './operation.ts';

/** A call's input as an HTTP request. */

type Input = Record<string, unknown>;

export interface Request {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

export function requestOf(base_url: string, operation: Operation, input: Input, accept?: string): Request {
  const { body, ...parameters } = input;
  const path = pathOf(operation, parameters);
  for (const [, name = ''] of operation.path.matchAll(PARAMETER)) delete parameters[name];
  const sent = bodyOf(operation, body);
  return {
    url: `${base_url}${path}${queryOf(operation, parameters)}`,
    method: operation.method,
    headers: { accept: acceptOf(operation, accept), ...(sent === null ? {} : { 'content-type': sent.type }) },
    ...(sent === null ? {} : { body: sent.text }),
  };
}

const PARAMETER = /\{(\w+)\}/g;

/** The operation's path with these parameters. */
export const pathOf = (operation: Operation, parameters: Input): string =>
  operation.path.replace(PARAMETER, (_whole, name: string) => segment(operation, name, parameters[name]));

/** One segment of a path. A dot segment would name another path: URLs know no way to write it otherwise. */
function segment(operation: Operation, name: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : `${value}`;
  if (text === '') throw invalidCall(operation, `\`${name}\` is missing: the path needs it.`);
  if (text === '.' || text === '..') throw invalidCall(operation, `\`${name}\` cannot be \`${text}\`.`);
  return encodeURIComponent(text);
}

function queryOf(operation: Operation, parameters: Input): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    if (value === null || typeof value === 'object')
      throw invalidCall(operation, `\`${name}\` must be text, a number or a boolean; a body goes under \`body\`.`);
    query.set(name, `${value}`);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

function bodyOf({ takes_form }: Operation, body: unknown): { type: string; text: string } | null {
  if (body === undefined) return null;
  if (!takes_form) return { type: 'application/json', text: JSON.stringify(body) };
  const given = Object.entries(body as Input).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, `${value}`])).toString();
  return { type: 'application/x-www-form-urlencoded', text };
}

/** Anything else rather than a refusal: some addresses answer in a type that their name decides. */
function acceptOf(operation: Operation, accept: string | undefined): string {
  const [first] = operation.media;
  if (accept !== undefined && !operation.media.includes(accept))
    throw invalidCall(operation, `It does not answer in ${accept}, only in ${operation.media.join(', ')}.`);
  if (accept !== undefined) return accept;
  return first === undefined || first === 'application/octet-stream' ? '*/*' : `${first}, */*;q=0.1`;
}

export const invalidCall = ({ id }: Pick<Operation, 'id'>, detail: string): CapstanError =>
  new CapstanError({ kind: 'invalid_call', code: 'sdk.invalid_call', detail: `${id}: ${detail}` });

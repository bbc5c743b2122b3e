import type { TObject, TSchema } from 'typebox';
import { defined } from '#core/defined.ts';
import type { OperationBase } from './operation.ts';

/** A working request, generated from the examples of the contract. */

interface ExampleRequest {
  method: string;
  /** Path and query string. */
  target: string;
  headers: Record<string, string>;
  body: string | null;
}

export function exampleRequest(operation: OperationBase): ExampleRequest {
  const { method } = operation;
  const body = operation.body === undefined ? null : bodyOf(operation);
  return {
    method,
    target: examplePath(operation) + exampleQuery(operation),
    headers: {
      ...accessHeaders(operation),
      ...defined({ 'content-type': body === null ? undefined : bodyType(operation) }),
    },
    body,
  };
}

const bodyOf = ({ reads, body_example = {} }: OperationBase): string =>
  reads === 'form' ? `${new URLSearchParams(body_example as Record<string, string>)}` : JSON.stringify(body_example);

export const bodyType = ({ reads }: OperationBase): string =>
  reads === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';

/** Tokens appear as shell variables, so that the reader sets them once. */
function accessHeaders({ access }: OperationBase): Record<string, string> {
  if (access === 'public' || access === 'optional') return {};
  const bearer = { authorization: 'Bearer $CAPSTAN_TOKEN' };
  if (access === 'jwt') return bearer;
  return { ...bearer, 'x-wallet-signature': '$WALLET_SIGNATURE', 'x-challenge-id': '$CHALLENGE_ID' };
}

function examplePath({ id, path, wildcard, examples }: OperationBase): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = examples?.[name];
    if (value === undefined) throw new Error(`${id} has no example of ${name}`);
    const encoded = encodeURIComponent(String(value));
    return name === wildcard ? encoded.replaceAll('%2F', '/') : encoded;
  });
}

/** Omits values that equal the default. */
function exampleQuery({ query, examples }: OperationBase): string {
  const properties = ((query as TObject | undefined)?.properties ?? {}) as Record<
    string,
    TSchema & { default?: unknown }
  >;
  const pairs = Object.entries(properties)
    .filter(([name, schema]) => examples?.[name] !== undefined && examples[name] !== schema.default)
    .map(([name]): [string, string] => [name, String(examples?.[name])]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

export function curlOf(operation: OperationBase, base_url: string): string {
  const { method, target, headers, body } = exampleRequest(operation);
  return [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${quote(base_url + target)}`,
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === null ? [] : [`-d ${quote(body)}`]),
  ].join(' \\\n  ');
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

import type { TObject, TSchema } from 'typebox';
import { OPERATIONS } from '#app/contract.ts';
import { bodyType, exampleRequest } from '#core/http/example-request.ts';
import { BODY_LIMIT_BYTES } from '#core/http/framework-problem.ts';
import type { OperationBase } from '#core/http/operation.ts';
import type { Case } from './case.ts';
import { filled, HOSTILE } from './texts.ts';

/** The worst cases of every operation: each place of its input that text, a list or names can grow in. */

/** What is around the text in the longest body. */
const ROOM = 4_096;
const BODY = BODY_LIMIT_BYTES - ROOM;
const URL_CHARS = 7_500;
const HEADER_CHARS = 15_000;

type Authorization = Record<string, string>;
type Step = string | number;

/** Operations that end what later requests need, or stream until their reader leaves. */
const LEFT_OUT = new Set([
  'accounts.signIns.logOut',
  'accounts.signIns.delete',
  'accounts.signIns.deleteOthers',
  'accounts.users.delete',
  'accounts.consent.signOut',
  'runtime.tasks.watch',
  'surfaces.mcp.endSession',
  'accounts.signIns.refresh',
]);

/** `texts`: how many of the hostile texts each place gets, spread over the places; all where left out. */
export function casesOf(authorization: Authorization, user_id: string, texts = Object.keys(HOSTILE).length): Case[] {
  let turn = 0;
  const some = (): [string, string][] => {
    const all = Object.entries(HOSTILE);
    return Array.from({ length: Math.min(texts, all.length) }, () => all[turn++ % all.length] as [string, string]);
  };
  return OPERATIONS.filter(({ id }) => !LEFT_OUT.has(id)).flatMap((operation) =>
    (operation.access === 'public' ? [{}] : [{}, authorization]).flatMap((headers) => [
      ...pathCases(operation, headers, some),
      ...queryCases(operation, headers, some),
      ...bodyCases(operation, headers, user_id, some),
    ]),
  );
}

type Some = () => [string, string][];

const whoOf = (headers: Authorization): string => (headers.authorization === undefined ? 'nobody' : 'an account');

function pathCases(operation: OperationBase, headers: Authorization, some: Some): Case[] {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  return names.flatMap((grown) =>
    some().map(([what, piece]) => ({
      name: `${operation.id} by ${whoOf(headers)}: {${grown}} of ${what}`,
      most: URL_CHARS,
      request: (size) => ({
        method: operation.method,
        target: operation.path
          .replace(/\{(\w+)\}/g, (_, name: string) =>
            name === grown ? encodedTo(piece, size) : encodeURIComponent(`${operation.examples?.[name]}`),
          )
          .slice(0, URL_CHARS),
        headers,
      }),
    })),
  );
}

/** Cut between escapes. */
function encodedTo(piece: string, size: number): string {
  const one = encodeURIComponent(piece);
  return one.repeat(Math.max(1, Math.floor(size / one.length)));
}

function queryCases(operation: OperationBase, headers: Authorization, some: Some): Case[] {
  const { id, method, query } = operation;
  const { target } = exampleOf(operation);
  const path = target.split('?', 1)[0] as string;
  const names = Object.keys((query as TObject | undefined)?.properties ?? {});
  const asked = (name: string, request: (size: number) => string): Case => ({
    name: `${id} by ${whoOf(headers)}: ${name}`,
    most: URL_CHARS - path.length,
    request: (size) => ({ method, target: `${path}?${request(size)}`, headers }),
  });
  const header = (name: string, piece: string): Case => ({
    name: `${id} by ${whoOf(headers)}: the header ${name}`,
    most: HEADER_CHARS,
    request: (size) => ({ method, target, headers: { ...headers, [name]: filled(piece, size) } }),
  });
  return [
    asked('many parameters', (size) => filled('a=1&', size)),
    ...names.flatMap((name) =>
      some().map(([what, piece]) => asked(`?${name} of ${what}`, (size) => `${name}=${encodedTo(piece, size)}`)),
    ),
    header('accept', 'text/html;q=0.1,'),
    header('if-none-match', '"x",'),
    header('cookie', 'a=b; '),
  ];
}

function exampleOf(operation: OperationBase): { target: string } {
  try {
    return exampleRequest(operation);
  } catch {
    return { target: operation.path };
  }
}

function bodyCases(operation: OperationBase, headers: Authorization, userId: string, some: Some): Case[] {
  const { id, method, body, body_example: example = {}, reads = 'json', own } = operation;
  if (body === undefined) return [];
  const { target: shown } = exampleOf(operation);
  const target = own === undefined ? shown : shown.replace(encodeURIComponent(`${operation.examples?.[own]}`), userId);
  const sent = { ...headers, 'content-type': bodyType(operation) };
  const asked = (name: string, make: (size: number) => string, most = BODY): Case => ({
    name: `${id} by ${whoOf(headers)}: ${name}`,
    most,
    request: (size) => ({ method, target, headers: sent, body: make(size).slice(0, BODY_LIMIT_BYTES) }),
  });
  if (reads === 'form')
    return [
      asked('many fields', (size) => fields(size, (at) => `f${at.toString(36)}=1`, '&')),
      asked('one field many times', (size) => filled('a=1&', size)),
      ...Object.keys(example as object).flatMap((name) =>
        some().map(([what, piece]) =>
          asked(`${name} of ${what}`, (size) => {
            const form = new URLSearchParams({
              ...(example as Record<string, string>),
              [name]: filled(piece, size / 3),
            });
            return `${form}`;
          }),
        ),
      ),
    ];
  const inJson = (value: unknown): string => JSON.stringify(value);
  return [
    asked('deep', (size) => '['.repeat(size)),
    asked('many fields', (size) => `{${fields(size, (at) => `"f${at.toString(36)}":1`, ',')}}`),
    ...placesIn(example).flatMap(({ path, value }) =>
      typeof value === 'string'
        ? some().map(([what, piece]) =>
            asked(
              `/${path.join('/')} of ${what}`,
              (size) =>
                inJson(replaced(example, path, filled(piece, (size / JSON.stringify(piece).length) * piece.length))),
              fitting(body, path),
            ),
          )
        : [
            asked(`/${path.join('/')} with many fields`, (size) =>
              inJson(replaced(example, path, { ...(value as object), ...many(Math.min(size / 16, 9_000)) })),
            ),
          ],
    ),
    ...listsIn(example).map(({ path, value }) =>
      asked(`/${path.join('/')} with many items`, (size) => {
        const [item = 'a'] = value;
        const count = Math.min(Math.floor(size / (inJson(item).length + 1)), 9_000);
        return inJson(replaced(example, path, Array(Math.max(1, count)).fill(item)));
      }),
    ),
  ];
}

/** As much as fits the schema there, so that it comes past the check; a tenth over it where that is less than a body. */
function fitting(schema: TSchema, path: readonly Step[]): number {
  let at: Record<string, unknown> | undefined = schema as unknown as Record<string, unknown>;
  for (const step of path)
    at = (typeof step === 'number' ? at?.items : (at?.properties as Record<string, unknown> | undefined)?.[step]) as
      | Record<string, unknown>
      | undefined;
  const longest = at?.maxLength;
  return typeof longest === 'number' ? Math.min(BODY, longest) : BODY;
}

function fields(size: number, one: (at: number) => string, separator: string): string {
  const parts: string[] = [];
  for (let length = 0, at = 0; length < size; at++) {
    parts.push(one(at));
    length += (parts.at(-1) as string).length + separator.length;
  }
  return parts.join(separator);
}

const many = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: Math.floor(count) }, (_, at) => [`f${at.toString(36)}`, at]));

interface Place<T = unknown> {
  path: Step[];
  value: T;
}

/** Texts and objects, at any depth. */
function placesIn(value: unknown, path: Step[] = []): Place[] {
  if (typeof value === 'string') return [{ path, value }];
  if (typeof value !== 'object' || value === null) return [];
  const within = Array.isArray(value)
    ? value.slice(0, 1).flatMap((item) => placesIn(item, [...path, 0]))
    : Object.entries(value).flatMap(([name, member]) => placesIn(member, [...path, name]));
  return Array.isArray(value) ? within : [{ path, value }, ...within];
}

function listsIn(value: unknown, path: Step[] = []): Place<unknown[]>[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value))
    return [{ path, value }, ...value.slice(0, 1).flatMap((item) => listsIn(item, [...path, 0]))];
  return Object.entries(value).flatMap(([name, member]) => listsIn(member, [...path, name]));
}

function replaced(value: unknown, [step, ...rest]: readonly Step[], by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((item, at) => (at === step ? replaced(item, rest, by) : item));
  return { ...(value as object), [step]: replaced((value as Record<Step, unknown>)[step], rest, by) };
}

export interface OfferedTool {
  name: string;
  input_schema: object;
  example: object;
}

/** The same of every tool of the MCP endpoint, by `tools/call`. */
export function toolCases(tools: readonly OfferedTool[], headers: Authorization, texts?: number): Case[] {
  let turn = 0;
  const all = Object.entries(HOSTILE);
  const some = (): [string, string][] =>
    Array.from({ length: texts ?? all.length }, () => all[turn++ % all.length] as [string, string]);
  return tools.flatMap(({ name, input_schema, example }) => {
    const asked = (what: string, make: (size: number) => unknown, most = BODY): Case => ({
      name: `the tool ${name} by ${whoOf(headers)}: ${what}`,
      most,
      request: (size) => toolCall(name, make(size), headers),
    });
    return [
      asked('many fields', (size) => ({ ...example, ...many(Math.min(size / 16, 9_000)) })),
      ...placesIn(example).flatMap(({ path, value }) =>
        typeof value !== 'string'
          ? []
          : some().map(([what, piece]) =>
              asked(
                `/${path.join('/')} of ${what}`,
                (size) => replaced(example, path, filled(piece, (size / JSON.stringify(piece).length) * piece.length)),
                fitting(input_schema as TSchema, path),
              ),
            ),
      ),
      ...listsIn(example).map(({ path, value }) =>
        asked(`/${path.join('/')} with many items`, (size) => {
          const [item = 'a'] = value;
          const count = Math.min(Math.floor(size / (JSON.stringify(item).length + 1)), 9_000);
          return replaced(example, path, Array(Math.max(1, count)).fill(item));
        }),
      ),
    ];
  });
}

export const toolCall = (name: string, input: unknown, headers: Authorization = {}) => ({
  method: 'POST',
  target: '/mcp/jsonrpc',
  headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
});

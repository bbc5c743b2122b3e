import type { TObject } from 'typebox';
import { OPERATIONS } from '#app/contract.ts';
import type { OperationBase } from '#core/http/operation.ts';
import type { Dice } from './dice.ts';
import { fitting, KNOWN, nearly, spoilt } from './shapes.ts';
import { hostileText, hostileValue } from './values.ts';

/** Requests of every operation of the contract: some fit, some nearly, some are made to break it. */

export const CREDENTIALS = ['none', 'bad', 'reader', 'key', 'full', 'proven'] as const;

export interface FuzzRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  /** Whose: `reader` a key that may only read, `key` one of all scopes, `proven` a token with a wallet's signature. */
  credential: (typeof CREDENTIALS)[number];
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'QUERY', 'PROPFIND', 'SEARCH'];
const STYLES = ['fit', 'fit', 'near', 'near', 'near', 'wild'] as const;
type Style = (typeof STYLES)[number];

export function restRequest(dice: Dice): FuzzRequest {
  const operation = dice.pick(OPERATIONS);
  const style = dice.pick(STYLES);
  const body = bodyOf(operation, style, dice);
  const { access } = operation;
  const guarded = access === 'jwt' ? 'full' : 'proven';
  const usual = access === 'public' ? 'none' : guarded;
  return {
    method: dice.once(25) ? dice.pick(METHODS) : operation.method,
    target: pathOf(operation, style, dice) + queryOf(operation, style, dice),
    headers: { ...headersOf(dice), ...(body === null ? {} : typeOf(operation, dice)) },
    body,
    credential: dice.once(3) ? dice.pick(CREDENTIALS) : usual,
  };
}

const isWild = (style: Style, dice: Dice): boolean => style === 'wild' || (style === 'near' && dice.once(3));

function pathOf(operation: OperationBase, style: Style, dice: Dice): string {
  const { path, also = [], wildcard, examples, own } = operation;
  return dice.pick([path, path, ...also]).replace(/\{(\w+)\}/g, (_, name: string) => {
    const encode = (text: string) =>
      name === wildcard && dice.once(2) ? encodeURI(text.toWellFormed()) : encodeURIComponent(text.toWellFormed());
    if (isWild(style, dice)) return dice.once(3) ? rawPart(dice) : encode(hostileText(dice).slice(0, 3_000));
    if (name === own || (operation.id.startsWith('accounts.users.') && name === 'id' && dice.once(2))) return '~me~';
    return /id$/.test(name) && dice.once(2) ? KNOWN(dice) : encode(String(examples?.[name]));
  });
}

const rawPart = (dice: Dice): string =>
  dice.pick(['..', '%2e%2e', '%00', '%', '%ff', '', '.', '%2f', '..%5c', '%c0%ae', ';a', '%0d%0a', "'", '[', '|', '@']);

function queryOf(operation: OperationBase, style: Style, dice: Dice): string {
  const properties = Object.entries((operation.query as TObject | undefined)?.properties ?? {});
  const pairs = properties
    .filter(([name]) => (operation.query as TObject).required?.includes(name) === true || dice.once(3))
    .map(([name, schema]): [string, string] => {
      const example = operation.examples?.[name];
      if (isWild(style, dice)) return [name, hostileText(dice).slice(0, 4_000)];
      const value = example !== undefined && dice.once(2) ? example : fitting(schema as object, dice);
      return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)];
    });
  if (style !== 'fit' && dice.once(6)) pairs.push([hostileText(dice).slice(0, 40), hostileText(dice).slice(0, 40)]);
  if (pairs.length > 0 && dice.once(20)) pairs.push(dice.pick(pairs));
  if (pairs.length === 0) return dice.once(40) ? dice.pick(['?', '?=', '?&&', '?%', '?a=%zz', '??']) : '';
  const text = new URLSearchParams(pairs.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]));
  return `?${text}`.replaceAll('%7E', '~').slice(0, 9_000);
}

function bodyOf(operation: OperationBase, style: Style, dice: Dice): FuzzRequest['body'] {
  const { body: schema, body_example: example = {}, reads = 'json' } = operation;
  if (schema === undefined) return dice.once(15) ? JSON.stringify(hostileValue(dice)) : null;
  if (dice.once(400)) return oversized(dice);
  const value = style === 'wild' ? hostileValue(dice) : dice.once(2) ? example : fitting(schema as object, dice);
  const sent = style === 'near' ? nearly(value, dice) : value;
  const text = reads === 'form' ? formOf(sent, dice) : (JSON.stringify(sent) ?? '');
  if (style !== 'fit' && dice.once(12)) return spoilt(text, dice);
  return dice.once(60) ? Buffer.from([...Buffer.from(text), 0xff, 0xc0, 0x80]) : text;
}

/** Around the limit of bodies. */
export const oversized = (dice: Dice): string => `"${'x'.repeat(1_048_576 - 3 + dice.below(4))}"`;

function formOf(value: unknown, dice: Dice): string {
  const fields: [string, unknown][] =
    typeof value === 'object' && value !== null ? Object.entries(value) : [['a', String(value)]];
  if (fields.length > 0 && dice.once(20)) fields.push(dice.pick(fields));
  const text = (item: unknown) => (typeof item === 'string' ? item : (JSON.stringify(item) ?? ''));
  return `${new URLSearchParams(fields.map(([name, field]): [string, string] => [`${name}`.toWellFormed(), text(field).toWellFormed()]))}`.replaceAll(
    '%7E',
    '~',
  );
}

function typeOf({ reads = 'json' }: OperationBase, dice: Dice): Record<string, string> {
  const usual = reads === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  return dice.once(20) ? { 'content-type': oddType(dice) } : { 'content-type': usual };
}

export const oddType = (dice: Dice): string =>
  dice.pick([
    'text/plain',
    '',
    ';',
    'application/json; charset=utf-16',
    'multipart/form-data; boundary=x',
    'a/b/c',
    'application/vnd.a+json',
    'APPLICATION/JSON',
    'application/x-www-form-urlencoded',
    'application/json,text/html',
  ]);

const HEADERS: Record<string, readonly string[]> = {
  accept: ['text/markdown', 'text/html', '*/*', 'text/event-stream', 'a', ';q=', 'text/html;q=1e9, */*;q=-1', 'x'],
  'accept-encoding': ['gzip', 'br', 'zstd', 'identity;q=0, *;q=0', 'gzip;q=2', ','],
  origin: ['null', 'https://evil.example', 'http://localhost:3000', 'http://[', 'https://app.example'],
  'if-none-match': ['*', '"x"', 'W/"x"', '"', ',,,'],
  'idempotency-key': ['k', '~known.1~', 'a b', 'x'.repeat(256), 'same'],
  'x-forwarded-for': ['1.2.3.4', '::1, x', 'a'.repeat(500)],
  'x-request-id': ['abcdefgh', '../../x', 'x'.repeat(100)],
  traceparent: ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-0-0-0', 'ff-'.repeat(40)],
  cookie: ['__Host-capstan=x', '=;;=', 'a=b; __Host-capstan_page=~known.2~'],
  'last-event-id': ['1', '99999999999999999999', '-1', 'x'],
  range: ['bytes=0-1', 'bytes=-1', 'x'],
  'content-encoding': ['gzip', 'br'],
  expect: ['100-continue', 'x'],
  'x-http-method-override': ['DELETE'],
  'x-wallet-signature': ['0x', `0x${'0'.repeat(130)}`, 'x'],
  'x-challenge-id': ['~known.3~', 'x'],
};
const NAMES = Object.keys(HEADERS);

export function headersOf(dice: Dice): Record<string, string> {
  const count = dice.once(3) ? dice.below(4) : 0;
  return Object.fromEntries(
    Array.from({ length: count }, () => {
      const name = dice.pick(NAMES);
      return [name, dice.once(8) ? hostileText(dice).slice(0, 500) : dice.pick(HEADERS[name] as string[])];
    }),
  );
}

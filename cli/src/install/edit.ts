import { isDeepStrictEqual } from 'node:util';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import * as toml from 'smol-toml';
import { isMap, parseDocument } from 'yaml';
import { Failure } from '../failure.ts';
import { withProperty } from './edit-json.ts';

/** Inserts or removes one entry in a client's configuration. Comments and everything else do not change. Pure. */

export type ConfigFormat = 'json' | 'toml' | 'yaml';

export interface Place {
  format: ConfigFormat;
  /** The key of the servers by name. */
  key: string;
  name: string;
}

type Value = Record<string, unknown>;

/** The current entry, or undefined. Throws a Failure for an unreadable file. */
export function entryAt(text: string, { format, key, name }: Place): unknown {
  const under = readAll(text, format)[key] ?? undefined;
  if (under !== undefined && typeof under !== 'object')
    throw new Failure('cli.config', `\`${key}\` is not an object.`, {
      fix: 'Fix the file, or install manually.',
    });
  return under !== undefined && Object.hasOwn(under, name) ? under[name] : undefined;
}

/** The text with that entry; undefined removes it. Throws a Failure if other parts would change. */
export function withEntry(text: string, place: Place, value: Value | undefined): string {
  const before = entryAt(text, place);
  const edited = EDITORS[place.format](text, place, value, before as Value | undefined);
  if (!isSameEntry(entryAt(edited, place), value) || !isDeepStrictEqual(around(edited, place), around(text, place)))
    throw cannot(place);
  return edited;
}

type Entries = Record<string, Record<string, unknown> | null | undefined>;

const readAll = (text: string, format: ConfigFormat): Entries => (READERS[format](text) ?? {}) as Entries;

/** Everything in the file except the entry. */
function around(text: string, { format, key, name }: Place): unknown {
  const { [key]: under, ...others } = plain(readAll(text, format)) as Entries;
  const { [name]: _, ...siblings } = under ?? {};
  return { others, siblings };
}

/** By what they hold: readers make their objects each in its own way. */
export const isSameEntry = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other));

const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

const cannot = ({ key, name }: Place): Failure =>
  new Failure('cli.config', `The entry ${key}.${name} cannot be changed without affecting other content.`, {
    fix: 'Edit the file manually; --dry-run shows the entry.',
  });

const READERS: Record<ConfigFormat, (text: string) => unknown> = {
  json(text) {
    const errors: ParseError[] = [];
    const value = text.trim() === '' ? {} : parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first !== undefined)
      throw unreadable('JSON', `${printParseErrorCode(first.error)} at character ${first.offset}`);
    return value;
  },
  toml(text) {
    try {
      return toml.parse(text);
    } catch (error) {
      throw unreadable('TOML', (error as Error).message.split('\n')[0] ?? '');
    }
  },
  yaml(text) {
    const document = parseDocument(text);
    const [first] = document.errors;
    if (first !== undefined) throw unreadable('YAML', first.message.split('\n')[0] ?? '');
    return document.toJS();
  },
};

const unreadable = (format: string, why: string): Failure =>
  new Failure('cli.config', `The file is not valid ${format}: ${why}.`, { fix: 'Fix it first. Nothing was written.' });

type Editor = (text: string, place: Place, value: Value | undefined, before: Value | undefined) => string;

const EDITORS: Record<ConfigFormat, Editor> = {
  json: (text, { key, name }, value) => withProperty(text, [key, name], value),
  toml(text, { key, name }, value, before) {
    const without = before === undefined ? text : withoutBlock(text, blockOf(key, name, before));
    if (value === undefined) return without;
    const gap = without === '' || without.endsWith('\n\n') ? '' : without.endsWith('\n') ? '\n' : '\n\n';
    return `${without}${gap}${blockOf(key, name, value)}`;
  },
  yaml(text, { key, name }, value) {
    const document = parseDocument(text);
    if (value === undefined) document.deleteIn([key, name]);
    else {
      if (!isMap(document.get(key))) document.set(key, document.createNode({}));
      document.setIn([key, name], document.createNode(value));
    }
    return document.toString({ lineWidth: 0 });
  },
};

const blockOf = (key: string, name: string, value: Value): string =>
  `${toml.stringify({ [key]: { [name]: value } }).trim()}\n`;

/** Only in the inserted form: a table that the user edited is kept. */
const withoutBlock = (text: string, block: string): string => text.replace(`\n${block}`, '').replace(block, '');

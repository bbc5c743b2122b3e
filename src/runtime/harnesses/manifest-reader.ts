import { quoted } from '#catalog/checks/violation.ts';
import { isRecord } from '#core/record.ts';
import type { Path } from '#core/yaml/read-yaml-map.ts';
import type { MANIFEST_RULES } from './manifest-rules.ts';

/** Reads an untrusted map and records invalid values with their paths. Pure. */

export interface Fault {
  rule: keyof typeof MANIFEST_RULES;
  path: Path;
  detail: string;
}

export interface Reader {
  root: Record<string, unknown>;
  faults: Fault[];
  fault(rule: Fault['rule'], path: Path, detail: string): void;
  /** Null if it is missing; the other readers record an error for a wrong type. */
  text(path: Path, value: unknown, most: number): string | null;
  texts(path: Path, value: unknown, most: number): string[];
  map(path: Path, value: unknown): Record<string, unknown> | null;
  list(path: Path, value: unknown): unknown[];
  bool(path: Path, value: unknown, fallback: boolean): boolean;
  /** Text to text. */
  texting(path: Path, value: unknown): Record<string, string>;
  onlyKeys(map: Record<string, unknown>, path: Path, known: readonly string[]): void;
}

const MOST_ELEMENTS = 200;
/** Paths that have to be located in the file. */
const MOST_FAULTS = 200;

export function readerOf(root: Record<string, unknown>): Reader {
  const faults: Fault[] = [];
  const fault: Reader['fault'] = (rule, path, detail) => {
    if (faults.length < MOST_FAULTS) faults.push({ rule, path, detail });
  };
  const unfit = (path: Path, what: string): null => {
    fault('manifest-form', path, `${quoted(path.join('.'))} must be ${what}.`);
    return null;
  };
  const text: Reader['text'] = (path, value, most) => {
    if (value === undefined) return null;
    if (typeof value === 'string' && value.trim() !== '' && value.length <= most) return value;
    return unfit(path, `a text of 1 to ${most} characters${isScalar(value) ? '; put it in quotes' : ''}`);
  };
  const map: Reader['map'] = (path, value) => {
    if (value === undefined) return null;
    return isRecord(value) ? value : unfit(path, 'a map');
  };
  const list: Reader['list'] = (path, value) => {
    if (value === undefined) return [];
    if (Array.isArray(value) && value.length <= MOST_ELEMENTS) return value;
    unfit(path, `a list of at most ${MOST_ELEMENTS}`);
    return [];
  };
  return {
    root,
    faults,
    fault,
    text,
    map,
    list,
    texts: (path, value, most) =>
      list(path, value).flatMap((item, index) => text([...path, index], item ?? null, most) ?? []),
    bool: (path, value, fallback) => {
      if (typeof value === 'boolean' || value === undefined) return value ?? fallback;
      unfit(path, 'true or false');
      return fallback;
    },
    texting: (path, value) =>
      Object.fromEntries(
        Object.entries(map(path, value) ?? {}).flatMap(([key, item]) => {
          const found = text([...path, key], item ?? null, 4_096);
          return found === null ? [] : [[key, found]];
        }),
      ),
    onlyKeys: (found, path, known) => {
      for (const key of Object.keys(found))
        if (!known.includes(key))
          fault(
            'manifest-key',
            [...path, key],
            `${quoted([...path, key].join('.'))} is not known; ${where(path)} has ${known.join(', ')}.`,
          );
    },
  };
}

const where = (path: Path): string => (path.length === 0 ? 'harness.yaml' : quoted(path.join('.')));

const isScalar = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

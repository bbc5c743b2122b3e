import { quoted } from '#catalog/checks/violation.ts';
import { isRecord } from '#core/record.ts';
import type { Path } from '#core/yaml/read-yaml-map.ts';
import type { RigRule } from './rig-rules.ts';

/** Reads an untrusted map and records invalid values with their paths. Pure. */

export interface RigFault {
  rule: RigRule;
  path: Path;
  detail: string;
}

export interface RigReader {
  faults: RigFault[];
  fault(rule: RigRule, path: Path, detail: string): void;
  /** Each records an error for an invalid value and returns the fallback. */
  text(path: Path, value: unknown, most: number, fallback?: string): string;
  texts(path: Path, value: unknown, most: number, longest: number): string[];
  map(path: Path, value: unknown): Record<string, unknown>;
  list(path: Path, value: unknown, most: number): unknown[];
  whole(path: Path, value: unknown, fallback: number, between: readonly [number, number]): number;
  onlyKeys(map: Record<string, unknown>, path: Path, known: readonly string[]): void;
  required(map: Record<string, unknown>, path: Path, names: readonly string[]): void;
}

/** Paths that have to be located in the file. */
const MOST_FAULTS = 100;

export const nameOf = (path: Path): string => (path.length === 0 ? 'the file' : quoted(path.join('.')));

export function rigReader(): RigReader {
  const faults: RigFault[] = [];
  const fault: RigReader['fault'] = (rule, path, detail) => {
    if (faults.length < MOST_FAULTS) faults.push({ rule, path, detail });
  };
  const unfit = (path: Path, what: string): void => fault('rig-form', path, `${nameOf(path)} must be ${what}.`);
  const text: RigReader['text'] = (path, value, most, fallback = '') => {
    if (value === undefined) return fallback;
    // Not every database can store NUL characters, and none of these texts needs them.
    if (typeof value === 'string' && value.length <= most && !value.includes('\0')) return value;
    const but = typeof value === 'number' ? '; put it in quotes' : '';
    unfit(path, `a text of at most ${most} characters without NUL${but}`);
    return fallback;
  };
  const list: RigReader['list'] = (path, value, most) => {
    if (value === undefined) return [];
    if (Array.isArray(value) && value.length <= most) return value;
    unfit(path, `a list of at most ${most}`);
    return [];
  };
  return {
    faults,
    fault,
    text,
    list,
    texts: (path, value, most, longest) =>
      list(path, value, most).flatMap((item, index) => {
        const found = text([...path, index], item ?? null, longest);
        return found.trim() === '' ? [] : [found];
      }),
    map: (path, value) => {
      if (isRecord(value)) return value;
      if (value !== undefined) unfit(path, 'a map');
      return {};
    },
    whole: (path, value, fallback, [least, most]) => {
      if (value === undefined) return fallback;
      if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most)
        return value as number;
      unfit(path, `a whole number from ${least} to ${most}`);
      return fallback;
    },
    onlyKeys: (map, path, known) => {
      for (const key of Object.keys(map))
        if (!known.includes(key))
          fault(
            'rig-key',
            [...path, key],
            `${nameOf([...path, key])} is not known; ${nameOf(path)} has ${known.join(', ')}.`,
          );
    },
    required: (map, path, names) => {
      for (const name of names)
        if (map[name] === undefined || map[name] === null)
          fault('rig-missing', path, `${nameOf([...path, name])} is missing.`);
    },
  };
}

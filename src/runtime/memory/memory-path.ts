import { coreProblem } from '#core/errors.ts';
import type { FieldError, Problem } from '#core/problem/problem.ts';
import { digitsOf } from './digits.ts';

/** The names of memories. They become paths of files when a harness is exported, so nothing in them may surprise. Pure. */

const MOST_CHARACTERS = 200;
const MOST_LEVELS = 8;
/** The limit of an index of PostgreSQL. */
const MOST_DIGITS = 2_000;
/** Controls, lone surrogates, invisible formatting, line separators, private use, unassigned code points, and the backslash. */
const REFUSED = /[\\\p{C}\p{Zl}\p{Zp}]/u;

/** The error of a path as the end of a sentence; null if it is valid. */
function pathFault(path: string): string | null {
  const segments = path.split('/');
  if (path === '') return 'must not be empty';
  if (path.length > MOST_CHARACTERS) return `must be at most ${MOST_CHARACTERS} characters`;
  if (segments.length > MOST_LEVELS) return `must be at most ${MOST_LEVELS} levels deep`;
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'must be relative';
  if (segments.some((segment) => segment === '..' || segment === '.')) return 'must not have . or .. as a part';
  if (segments.includes('')) return 'must not have an empty part';
  if (REFUSED.test(path)) return 'must not contain a backslash or an invisible character';
  if (segments.some((segment) => segment !== segment.trim() || segment.endsWith('.')))
    return 'must not have a part that begins or ends with a space, or ends with a dot';
  if (path !== path.normalize('NFC')) return 'must be in the Unicode form NFC';
  return placeOf(path).length > MOST_DIGITS ? 'is too long' : null;
}

const fold = (path: string): string => path.normalize('NFKC').toLowerCase().normalize('NFKC');

/** The key of a path: equal for paths that differ only in case or Unicode form. */
export const placeOf = (path: string): string => digitsOf(fold(path));

/** The key range of all paths that begin with this text, ignoring case: `from <= place < to`. */
export function placesUnder(prefix: string): { from: string; to: string } {
  const from = placeOf(prefix);
  return { from, to: `${from}99` };
}

/** The places of the directories above a path. */
export const placesAbove = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => placeOf(parts.slice(0, index + 1).join('/')));

export const pathRefused = (faults: readonly FieldError[]): Problem =>
  coreProblem('http.invalid', `The path of a memory ${faults[0]?.detail}.`, { reason: 'input', errors: [...faults] });

/** Throws `http.invalid` (`input`). */
export function readPath(path: string, pointer = '/path'): string {
  const detail = pathFault(path);
  if (detail !== null) throw pathRefused([{ pointer, detail }]);
  return path;
}

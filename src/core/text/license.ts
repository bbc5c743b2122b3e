import deprecated from 'spdx-license-ids/deprecated.json' with { type: 'json' };
import identifiers from 'spdx-license-ids/index.json' with { type: 'json' };
import { editDistance } from './edit-distance.ts';

/** Licences as SPDX expressions (SPDX 2.3, annex D), with the published list of identifiers. Pure. */

const MOST_LICENSE_CHARS = 200;

/** Identifiers are case-insensitive, as specified. */
const byName = (names: readonly string[]): ReadonlyMap<string, string> =>
  new Map(names.map((name) => [name.toLowerCase(), name]));

const CURRENT = byName(identifiers);
const DEPRECATED = byName(deprecated);
/**
 * Exceptions are recognized by their form: nearly all identifiers of that list contain "exception", and these are the
 * others.
 */
const EXCEPTION = /^(?=[A-Za-z0-9.-]{1,80}$).*exception|^(?:Linux-syscall-note|LLGPL|GPL-CC-1\.0|SHL-2\.[01])$/i;

/** Names for a licence that grants no rights. The list has no identifier for it. */
const CLOSED = new Set([
  'unlicensed',
  'proprietary',
  'closed',
  'commercial',
  'all-rights-reserved',
  'none',
  'noassertion',
]);
const CLOSED_REF = 'LicenseRef-Proprietary';

const TOKEN = /\s*([()]|[^\s()]+)/gy;
const OPERATOR = /^(?:AND|OR|WITH)$/i;
const REFERENCE = /^(?:DocumentRef-[A-Za-z0-9.-]{1,80}:)?LicenseRef-[A-Za-z0-9.-]{1,80}$/;

/** Returns null for an expression such as `MIT OR Apache-2.0`, otherwise what is wrong, to follow "The license". */
export function licenseFault(text: string): string | null {
  if (text.trim() === '') return 'is empty';
  if (text.length > MOST_LICENSE_CHARS) return `is longer than ${MOST_LICENSE_CHARS} characters`;
  const tokens = [...text.trim().matchAll(TOKEN)].map(([, token]) => token as string);
  let state: Reading = { expects: 'license', depth: 0, mayHaveException: false };
  for (const token of tokens) {
    const next = after(state, token);
    if (next === null) return faultAt(text, token, state.expects);
    state = next;
  }
  return state.expects !== 'operator' || state.depth > 0 ? 'is an incomplete SPDX expression' : null;
}

interface Reading {
  expects: 'license' | 'exception' | 'operator';
  /** Brackets that are open. */
  depth: number;
  /** Whether `WITH` may follow. */
  mayHaveException: boolean;
}

/** Null if the token cannot follow. */
function after({ expects, depth, mayHaveException }: Reading, token: string): Reading | null {
  const operator = token.toUpperCase();
  switch (expects) {
    case 'license':
      if (token === '(') return { expects, depth: depth + 1, mayHaveException };
      return isLicense(token) ? { expects: 'operator', depth, mayHaveException: true } : null;
    case 'exception':
      return EXCEPTION.test(token) ? { expects: 'operator', depth, mayHaveException: false } : null;
    case 'operator':
      if (token === ')') return depth > 0 ? { expects, depth: depth - 1, mayHaveException: false } : null;
      if (operator === 'WITH') return mayHaveException ? { expects: 'exception', depth, mayHaveException } : null;
      return operator === 'AND' || operator === 'OR' ? { expects: 'license', depth, mayHaveException } : null;
  }
}

function faultAt(text: string, token: string, expects: Reading['expects']): string {
  const isWord = /^[A-Za-z0-9.+-]{1,64}$/.test(token) && !OPERATOR.test(token);
  // "Apache 2.0" is one name with a space, so the suggestion is for the whole text.
  const near = nearestLicense(text) ?? (isWord && expects !== 'exception' ? nearestLicense(token) : null);
  const hint = near === null ? '' : `; did you mean ${near}?`;
  if (!isWord || expects === 'operator') return `is not an SPDX expression${hint}`;
  return `names ${token}, which is not an SPDX ${expects} identifier${hint}`;
}

function isLicense(token: string): boolean {
  const name = token.replace(/\+$/, '').toLowerCase();
  return REFERENCE.test(token) || CURRENT.has(name) || DEPRECATED.has(name);
}

/** Deprecated identifiers in an expression, such as `GPL-3.0`. */
export const deprecatedLicenses = (text: string): string[] =>
  text.split(/[\s()]+/).flatMap((token) => DEPRECATED.get(token.replace(/\+$/, '').toLowerCase()) ?? []);

const MOST_CHANGES = 3;

/** Returns the identifier that an invalid name probably means; null if none is similar. */
export function nearestLicense(name: string): string | null {
  if (name.length > MOST_LICENSE_CHARS) return null;
  const words = name
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter((word) => word !== '' && !/^(?:the|licen[sc]e|version)$/.test(word));
  const wanted = words.join('-').replace(/(?<=-)v(?=\d)/g, '');
  if (CLOSED.has(wanted)) return CLOSED_REF;
  let nearest: string | null = null;
  let least = Math.min(MOST_CHANGES, Math.floor(wanted.length / 3)) + 1;
  for (const [known, id] of CURRENT) {
    if (Math.abs(known.length - wanted.length) >= least) continue;
    const changes = editDistance(wanted, known);
    if (changes >= least) continue;
    nearest = id;
    least = changes;
  }
  return nearest;
}

/** SPDX's values for an unstated licence. Providers use them; publishers must state one. */
export const isUnstated = (text: string): boolean => /^\s*(?:NONE|NOASSERTION)\s*$/i.test(text);

/** A skill may refer to a file instead: "Complete terms in LICENSE.txt". */
export const namesLicenseFile = (text: string): boolean =>
  /\b(?:LICEN[SC]E|COPYING|NOTICE)(?:\.[a-z]{1,5})?\b/.test(text);

const MOST_LINES = 100;

/** Reads the licence from a skill's frontmatter leniently, line by line; "" if there is none. */
export function licenseIn(skill_md: string): string {
  const [first, ...lines] = skill_md.split('\n', MOST_LINES + 2);
  if (first?.trimEnd() !== '---') return '';
  const end = lines.findIndex((line) => line.startsWith('---'));
  const found = lines.slice(0, end < 0 ? MOST_LINES : end).find((line) => line.startsWith('license:'));
  const [, plain = ''] = /^(["']?)([^"']*)\1$/.exec((found ?? '').slice('license:'.length).trim())?.slice(1) ?? [];
  return plain.length <= MOST_LICENSE_CHARS ? plain.trim() : '';
}

import { hash } from 'node:crypto';
import type { Traits } from './traits.ts';

/** By what listings are found to be candidates for one capability. Pure. */

/** How many listings of one type may share a key of a kind before it says nothing, and is passed over. */
export const MOST_SHARING = {
  package: 20,
  remote: 12,
  gateway: 12,
  /** Repository and name, or account and name. */
  place: 24,
  repository: 40,
  name: 24,
  word: 10,
  slug: 4,
  text: 8,
} as const;
export type KeyKind = keyof typeof MOST_SHARING;

/** `type|kind|value`, each once. */
export function keysOf(it: Traits): string[] {
  const keys = new Set<string>();
  const add = (kind: KeyKind, value: string) => keys.add(keyOf(it.listing_type, kind, value));
  for (const id of it.packages) add('package', id);
  for (const address of it.remotes) add('remote', address);
  if (it.gateway !== null) add('gateway', it.gateway);
  // An id of a directory is most often the repository's: both are places of one form.
  if (it.directory_id !== null) add('place', it.directory_id);
  if (it.repository !== null && it.listing_type !== 'skill') {
    add('repository', it.repository.address);
    add('place', `${it.repository.owner}/${it.repository.name}`);
    if (it.place_name !== '') add('place', `${it.repository.owner}/${it.place_name}`);
  }
  for (const owner of it.owners) for (const name of it.names) add('place', `${owner}/${name}`);
  if (it.listing_type === 'server') for (const name of it.names) add('name', name);
  for (const word of it.name_words) add('word', word);
  for (const slug of it.slugs) add('slug', slug);
  if (it.repository === null && it.listing_type === 'server') for (const band of bandsOf(it.words)) add('text', band);
  return [...keys].sort();
}

/** Texts that share most of their words most likely share one of these: the least of their words by several orders. */
function bandsOf(words: readonly string[]): string[] {
  if (words.length < LEAST_WORDS) return [];
  return SEEDS.map((seed) => {
    const [first, second] = words.map((word) => mixed(word, seed)).sort((a, b) => a - b);
    return `${seed}:${first?.toString(36)}${second?.toString(36)}`;
  });
}

const LEAST_WORDS = 6;
const SEEDS = [1, 2, 3, 4];

/** FNV-1a. */
function mixed(word: string, seed: number): number {
  let state = 2_166_136_261 ^ Math.imul(seed, 0x9e3779b1);
  for (let at = 0; at < word.length; at++) state = Math.imul(state ^ word.charCodeAt(at), 16_777_619);
  state ^= state >>> 15;
  return Math.imul(state, 0x85ebca6b) >>> 0;
}

const MOST_CHARS = 120;

export const keyOf = (type: string, kind: KeyKind, value: string): string =>
  `${type}|${kind}|${value.length > MOST_CHARS ? hash('sha256', value, 'base64url').slice(0, 24) : value}`;

export const kindOf = (key: string): KeyKind => key.split('|', 2)[1] as KeyKind;

export const isHot = (key: string, sharing: number): boolean => sharing > MOST_SHARING[kindOf(key)];

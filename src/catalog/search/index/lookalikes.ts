import { fold } from '#catalog/changes/fold.ts';
import { accountOf } from '#catalog/identity/normalize.ts';
import { hashOf } from '#core/text/text-cache.ts';
import { skeletonOf } from '../text/confusable.ts';
import { ownName, tokenize } from '../text/tokenize.ts';
import type { ShownCapability } from './document.ts';

/**
 * Names made to look like those of much used capabilities of others. A similar name alone says little: thousands differ by one letter.
 * So the text has to be alike, too, unless letters of another script imitate Latin ones, or the name begins with another's account.
 */

/** What a marked capability looks like. */
export interface Resemblance {
  id: string;
  name: string;
  author: string;
  /**
   * `confusable`: characters that look alike. `one_edit`: one character differs. `copied`: the same name, or the name and more, with the
   * same text. `namespace`: the name begins with the account of the other.
   */
  how: 'confusable' | 'one_edit' | 'copied' | 'namespace';
}

/** What is compared of a capability. */
export interface Look {
  shown: Pick<ShownCapability, 'id' | 'name' | 'author' | 'listing_type'>;
  /** Its name and the names in its ids, without separators. */
  names: readonly string[];
  /** The words of each of these names. */
  words: readonly (readonly string[])[];
  /** Hashes of the words of its description, found when they are first asked for. */
  text(): ReadonlySet<number>;
  /** Its accounts at its providers, without separators, and its author. */
  accounts: ReadonlySet<string>;
  /** Where its name is a path: the account in it. */
  claimed: string | null;
}

const [LEAST_NAME, MOST_NAME] = [6, 40];
const MOST_NAMES = 6;
const MOST_TEXT_WORDS = 100;
const MOST_SHOWN = 200;

const plain = (text: string): string => fold(text.toWellFormed()).replace(/[^\p{L}\p{N}]/gu, '');

export function lookOf(shown: ShownCapability): Look {
  const { id, name, author, listing_type, sources } = shown;
  const written = [ownName(name), ...sources.flatMap((source) => slugOf(source) ?? [])].slice(0, MOST_NAMES);
  const names = [...new Set(written.map((text) => plain(text.slice(0, 2 * MOST_NAME))))];
  const accounts = sources.flatMap(({ provider, external_id }) => accountOf(provider, external_id) ?? []);
  return {
    shown: { id, name: name.slice(0, MOST_SHOWN), author: author.slice(0, MOST_SHOWN), listing_type },
    names: names.filter((text) => text.length >= LEAST_NAME && text.length <= MOST_NAME),
    words: written.map((text) => tokenize(text.slice(0, 2 * MOST_NAME))),
    text: wordsOf(shown.description.slice(0, 2_000)),
    accounts: new Set([bareAccount(author), ...accounts.map(bareAccount)].filter((account) => account !== '')),
    claimed: /^@?([\w.-]{4,60})\//.exec(name)?.[1]?.toLowerCase() ?? null,
  };
}

function wordsOf(text: string): () => ReadonlySet<number> {
  let words: ReadonlySet<number> | undefined;
  return () => {
    words ??= new Set(
      tokenize(text)
        .slice(0, MOST_TEXT_WORDS)
        .map((word) => hashOf(word)),
    );
    return words;
  };
}

/** The name in an id; null where ids are made up. */
function slugOf({ provider, external_id }: ShownCapability['sources'][number]): string | null {
  if (provider === 'glama' && !external_id.includes('/')) return null;
  return ownName(external_id.replace(/(?<=.)@[^@]*$/, ''));
}

const bareAccount = (account: string): string =>
  plain(account.toLowerCase().replace(/^(?:io|com)\.git(?:hub|lab)\./, ''));

/** Much used capabilities, by their names. Only the thread that builds has them. */
export interface KnownLooks {
  byName: ReadonlyMap<string, readonly Look[]>;
  /** By the name without any one of its characters, and by the name itself. */
  byVariant: ReadonlyMap<string, readonly string[]>;
  bySkeleton: ReadonlyMap<string, readonly string[]>;
  byAccount: ReadonlyMap<string, Look>;
}

/** The most used ones count. */
const MOST_KNOWN = 3_000;
/** Of one name, variant or skeleton. */
const MOST_ALIKE = 8;

/** `looks`: the most used first. */
export function knownLooks(looks: readonly Look[]): KnownLooks {
  const byName = new Map<string, Look[]>();
  const [byVariant, bySkeleton] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const byAccount = new Map<string, Look>();
  for (const look of looks.slice(0, MOST_KNOWN)) {
    for (const name of look.names) {
      const isNew = !byName.has(name);
      add(byName, name, look);
      if (!isNew) continue;
      for (const variant of variantsOf(name)) add(byVariant, variant, name);
      add(bySkeleton, skeletonOf(name), name);
    }
    for (const account of look.accounts) if (!byAccount.has(account)) byAccount.set(account, look);
  }
  return { byName, byVariant, bySkeleton, byAccount };
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else if (known.length < MOST_ALIKE) known.push(value);
}

const variantsOf = (name: string): string[] => [
  name,
  ...Array.from(name, (_, at) => name.slice(0, at) + name.slice(at + 1)),
];

/** Null if it looks like nothing of another author. */
export function resemblanceOf(look: Look, known: KnownLooks): Resemblance | null {
  const found = ofNamespace(look, known) ?? ofLetters(look, known) ?? ofNames(look, known);
  if (found === null) return null;
  const { id, name, author } = found.other.shown;
  return { id, name, author, how: found.how };
}

interface Found {
  other: Look;
  how: Resemblance['how'];
}

function ofNamespace({ claimed, accounts }: Look, { byAccount }: KnownLooks): Found | null {
  const account = claimed === null || accounts.size === 0 ? '' : bareAccount(claimed);
  const other = accounts.has(account) ? undefined : byAccount.get(account);
  return other === undefined ? null : { other, how: 'namespace' };
}

/** Letters of other scripts that imitate Latin ones. */
function ofLetters(look: Look, { bySkeleton, byName }: KnownLooks): Found | null {
  for (const name of look.names) {
    if (!/[^\x20-\x7e]/.test(name)) continue;
    for (const other of bySkeleton.get(skeletonOf(name)) ?? [])
      for (const one of byName.get(other) ?? [])
        if (other !== name && isAnother(look, one)) return { other: one, how: 'confusable' };
  }
  return null;
}

/** Shares of the words that two texts have in common from which they are alike, and from which one is a copy. */
const [ALIKE, COPIED] = [0.3, 0.8];

function ofNames(look: Look, { byName, byVariant, bySkeleton }: KnownLooks): Found | null {
  const similar = (names: Iterable<string>, least: number, how: Found['how']): Found | null => {
    for (const name of names)
      for (const other of byName.get(name) ?? [])
        if (isAnother(look, other) && alike(look.text(), other.text()) >= least) return { other, how };
    return null;
  };
  for (const name of look.names) {
    const skeleton = (bySkeleton.get(skeletonOf(name)) ?? []).filter((other) => other !== name);
    const variants = new Set(variantsOf(name).flatMap((variant) => byVariant.get(variant) ?? []));
    const near = [...variants].filter((other) => isOneEdit(name, other));
    const found = similar(skeleton, ALIKE, 'confusable') ?? similar(near, ALIKE, 'one_edit');
    if (found !== null) return found;
  }
  return similar(look.words.flatMap(beginningsOf), COPIED, 'copied');
}

/** Shorter texts are alike by chance. */
const LEAST_WORDS = 6;

const isAnother = (look: Look, other: Look): boolean =>
  look.shown.listing_type === other.shown.listing_type &&
  look.accounts.size > 0 &&
  look.accounts.isDisjointFrom(other.accounts);

function alike(text: ReadonlySet<number>, other: ReadonlySet<number>): number {
  if (Math.min(text.size, other.size) < LEAST_WORDS) return 0;
  let common = 0;
  for (const word of text) if (other.has(word)) common++;
  return common / (text.size + other.size - common);
}

/** The first words of a name, written as one. */
function beginningsOf(words: readonly string[]): string[] {
  const found: string[] = [];
  let joined = '';
  for (const word of words) {
    joined += word;
    if (joined.length > MOST_NAME) break;
    if (joined.length >= LEAST_NAME) found.push(joined);
  }
  return found;
}

/** Whether one character was added, left out or replaced, or two neighbours were swapped. Digits tell versions apart. */
export function isOneEdit(name: string, other: string): boolean {
  if (name === other || withoutDigits(name) === withoutDigits(other)) return false;
  let at = 0;
  while (at < name.length && name[at] === other[at]) at++;
  const [rest, otherRest] = [name.slice(at), other.slice(at)];
  const isSwapped = rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2);
  return (
    rest.slice(1) === otherRest.slice(1) || rest.slice(1) === otherRest || rest === otherRest.slice(1) || isSwapped
  );
}

const withoutDigits = (name: string): string => name.replace(/\d/g, '');

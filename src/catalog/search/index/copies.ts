import { hash } from 'node:crypto';
import { fold } from '#catalog/changes/fold.ts';
import { hashOf } from '#core/text/text-cache.ts';
import { sharedInts } from './arrays.ts';
import { bitWords, setBit } from './bitset.ts';
import type { CapabilityDocument, ShownCapability } from './document.ts';

/**
 * Copies of a text, whatever their names and authors. A search shows one of them for all. They are found in time linear in the texts.
 */

/** Shorter descriptions are shared by chance. */
const LEAST_CHARS = 40;
const MOST_CHARS = 4_000;

/**
 * A number for each text of a document: its description, then its SKILL.md. The hash is a cryptographic one, so that nobody can write a
 * text that is taken for a copy of another. Documents are copies by one of their texts, the first that others have: else a listing with
 * the description of one and the files of another would make these two copies, and hide one behind the other.
 */
export function textKeys({ wire, digests = [] }: Pick<CapabilityDocument, 'wire' | 'digests'>): number[] {
  const text = (fold(wire.description.slice(0, MOST_CHARS).toWellFormed()).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
  const texts = text.length < LEAST_CHARS ? [] : [`${wire.listing_type}\n${text}`];
  return [...texts, ...digests.map((digest) => `digest ${digest}`)].map(keyOf);
}

const KEY_BYTES = 6;
const keyOf = (text: string): number => hash('sha256', text, 'buffer').readUIntBE(0, KEY_BYTES);

/**
 * The texts by which rows of a base are copies of others, one for each row: keys, ascending, and beside each the leader of its copies. Only
 * the thread that builds has it.
 */
export interface KnownTexts {
  keys: Float64Array;
  leaders: Int32Array;
}

export const NO_TEXTS: KnownTexts = { keys: new Float64Array(0), leaders: new Int32Array(0) };

export interface Copies {
  leaders: Int32Array;
  copied: Int32Array;
}

/** Of a base, by the keys of each row. */
export function groupBase(keys: readonly (readonly number[])[]): Copies & { texts: KnownTexts } {
  const leaders = sharedInts(keys.length);
  const counts = countsOf(keys);
  const firsts = new Map<number, number>();
  keys.forEach((own, row) => {
    const by = own.find((key) => (counts.get(key) as number) > 1) ?? own[0];
    leaders[row] = row;
    if (by === undefined) return;
    const leader = firsts.get(by) ?? row;
    leaders[row] = leader;
    firsts.set(by, leader);
  });
  return { leaders, copied: sharedRows(leaders), texts: textsOf(firsts) };
}

/** How many rows have each key. */
function countsOf(keys: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const own of keys) for (const key of new Set(own)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Rows that are not alone. */
function sharedRows(leaders: Int32Array): Int32Array {
  const copied = sharedInts(bitWords(leaders.length));
  leaders.forEach((leader, row) => {
    if (leader === row) return;
    setBit(copied, leader);
    setBit(copied, row);
  });
  return copied;
}

function textsOf(leaders: ReadonlyMap<number, number>): KnownTexts {
  const keys = Float64Array.from(leaders.keys()).sort();
  return { keys, leaders: Int32Array.from(keys, (key) => leaders.get(key) as number) };
}

/** Of a delta: copies of a text of the base have its leader. */
export function groupDelta(keys: readonly (readonly number[])[], texts: KnownTexts): Copies {
  const leaders = sharedInts(keys.length);
  const copied = sharedInts(bitWords(keys.length));
  const counts = countsOf(keys);
  const firsts = new Map<number, number>();
  keys.forEach((own, row) => {
    const by = own.find((key) => leaderIn(texts, key) !== undefined || (counts.get(key) as number) > 1);
    const found = by === undefined ? undefined : (leaderIn(texts, by) ?? firsts.get(by));
    const leader = found ?? -1 - row;
    leaders[row] = leader;
    if (by !== undefined) firsts.set(by, leader);
    if (found === undefined) return;
    setBit(copied, row);
    if (leader < 0) setBit(copied, -1 - leader);
  });
  return { leaders, copied };
}

function leaderIn({ keys, leaders }: KnownTexts, key: number): number | undefined {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as number) < key) low = middle + 1;
    else high = middle;
  }
  return keys[low] === key ? leaders[low] : undefined;
}

/**
 * Of copies, the one with the highest number is the original, as far as can be told: not flagged; its publisher proved; a signal that is
 * costly to fake; more used; known here for longer. The rest decides between equals, and is the same in every process.
 */
export function frontOf(
  wire: Pick<ShownCapability, 'id' | 'flagged' | 'publisher' | 'created_at'>,
  { is_proven, prior }: { is_proven: boolean; prior: number },
): number {
  const isClaimed = wire.publisher !== null && wire.publisher.by !== 'published';
  const use = Math.floor((prior * (USES - 1)) / 255);
  const rank = wire.flagged ? 0 : 1 + (isClaimed ? 2 * USES : 0) + (is_proven ? USES : 0) + use;
  const known = Date.parse(wire.created_at);
  const minutes = Number.isNaN(known) ? 0 : Math.max(0, Math.floor((YEAR_2100_MS - known) / 60_000));
  return (
    (rank * 2 ** AGE_BITS + Math.min(minutes, 2 ** AGE_BITS - 1)) * 2 ** REST_BITS +
    ((hashOf(wire.id) >>> 0) % 2 ** REST_BITS)
  );
}

/** Small differences in use say nothing. */
const USES = 8;
/** A double holds 53 bits; the rank has six of them. */
const AGE_BITS = 27;
const REST_BITS = 20;
const YEAR_2100_MS = Date.UTC(2100, 0);

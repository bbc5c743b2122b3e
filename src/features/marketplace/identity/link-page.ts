import { hash } from 'node:crypto';
import type { CapabilityLinkRow, CapabilityRow } from '../../../platform/db/schema-capabilities.ts';
import { newId } from '../../../platform/ids.ts';
import { OWN_SOURCE } from '../../registry/own-listings.ts';
import { publishedOf } from './capabilities.ts';
import { pairOf } from './groups.ts';
import { linksAmong } from './judge-pairs.ts';
import { keysOf } from './keys.ts';
import {
  type Changed,
  capabilitiesById,
  capabilitiesOf,
  countSharing,
  type Db,
  deleteLinks,
  keysOfIds,
  linksAt,
  listingKey,
  nextSeq,
  replaceKeys,
  saveCapabilities,
  saveLinks,
  traitsOfIds,
} from './link-store.ts';
import { memberRowOf } from './member.ts';
import { type Pair, pairsToJudge } from './pairs-to-judge.ts';
import { regroup } from './regroup.ts';
import { RULES } from './rules.ts';
import { type Traits, traitsOf } from './traits.ts';

/** Takes in a page of changed listings, in one transaction: capabilities, keys, links, groups. */

interface Moved {
  row: CapabilityRow;
  /** Null where its listing is gone. */
  traits: Traits | null;
}

export async function linkListings(db: Db, changed: readonly Changed[], now: string): Promise<void> {
  if (changed.length === 0) return;
  const seq = await nextSeq(db);
  const { rows, moved } = await takenIn(db, changed, { seq, now });
  await saveCapabilities(db, rows);
  const traits = new Map(moved.flatMap(({ row, traits: it }) => (it === null ? [] : [[row.id, it] as const])));
  const ends = await relink(db, moved, traits);
  const touched = rows.map(({ id }) => id);
  await regroup(db, [...new Set([...touched, ...ends])], { seq, now, traits, touched });
}

/** Rows of what changed, and of which something changed that identity is judged by. */
async function takenIn(db: Db, changed: readonly Changed[], { seq, now }: { seq: number; now: string }) {
  const known = await capabilitiesOf(db, changed);
  const rows: CapabilityRow[] = [];
  const moved: Moved[] = [];
  for (const listing of changed) {
    const before = known.get(listingKey(listing));
    const is_live = listing.removed_at === null ? 1 : 0;
    if (before === undefined && is_live === 0) continue;
    const traits = is_live === 1 ? traitsOf(listing) : null;
    const digest = traits === null ? '' : digestOf(traits);
    const row: CapabilityRow = {
      ...(before ?? fresh(newId(), listing, now)),
      ...{ listing_type: listing.listing_type, is_live, traits: digest, seq, updated_at: now },
    };
    rows.push(row);
    if (before?.traits !== digest) moved.push({ row, traits });
  }
  return { rows, moved };
}

const fresh = (
  id: string,
  { provider_id, external_id }: Pick<Changed, 'provider_id' | 'external_id'>,
  now: string,
) => ({
  ...{ id, provider_id, external_id, stands_id: id, evidence: '[]', confidence: 0, created_at: now },
});

const digestOf = (traits: Traits): string => hash('sha256', JSON.stringify([RULES, traits]), 'base64url').slice(0, 16);

/** Puts the keys and links of these in order. Answers the ends of all links that came, went or changed. */
async function relink(db: Db, moved: readonly Moved[], given: ReadonlyMap<string, Traits>): Promise<string[]> {
  const ids = moved.map(({ row }) => row.id);
  if (ids.length === 0) return [];
  const before = await keysOfIds(db, ids);
  const after = [...given].flatMap(([id, it]) => keysOf(it).map((key) => ({ id, key, shelf: it.shelf })));
  await replaceKeys(
    db,
    after.map(({ id, key, shelf }) => [key, id, shelf]),
    ids,
  );
  const pairs = await pairsToJudge(db, { before, after, ids: new Set(ids) });
  const missing = [...new Set(pairs.flat())].filter((id) => !given.has(id));
  const traits = new Map([...given, ...(await traitsOfIds(db, missing))]);
  const wanted = await linksAmong(pairs, traits, (keys) => countSharing(db, keys));
  return saveDifference(db, { wanted, pairs, ids: new Set(ids) });
}

async function saveDifference(
  db: Db,
  { wanted, pairs, ids }: { wanted: readonly CapabilityLinkRow[]; pairs: readonly Pair[]; ids: ReadonlySet<string> },
): Promise<string[]> {
  const judged = new Set(pairs.map(([a, b]) => pairOf(a, b)));
  const next = new Map(wanted.map((it) => [pairOf(it.a_id, it.b_id), it]));
  const near = await linksAt(db, [...new Set([...ids, ...pairs.flat()])]);
  const old = new Map(near.map((it) => [pairOf(it.a_id, it.b_id), it]));
  const gone = near.filter(({ a_id, b_id }) => {
    const pair = pairOf(a_id, b_id);
    return !next.has(pair) && (judged.has(pair) || ids.has(a_id) || ids.has(b_id));
  });
  const fresh = wanted.filter((it) => {
    const was = old.get(pairOf(it.a_id, it.b_id));
    return was === undefined || was.confidence !== it.confidence || was.evidence !== it.evidence;
  });
  await deleteLinks(db, gone);
  await saveLinks(db, fresh);
  return [...gone, ...fresh].flatMap(({ a_id, b_id }) => [a_id, b_id]);
}

/** What is published here is a capability of its own; nothing but an operator's word merges it. */
export async function linkPublished(db: Db, ids: readonly string[], now: string): Promise<void> {
  if (ids.length === 0) return;
  const seq = await nextSeq(db);
  const known = new Map((await capabilitiesById(db, ids)).map((it) => [it.id, it]));
  const rows = [...(await publishedOf(db, ids))].flatMap(([id, it]): CapabilityRow[] => {
    const is_live = memberRowOf(it) === null ? 0 : 1;
    const before = known.get(id);
    if (before === undefined && is_live === 0) return [];
    const { listing_type } = it.listing;
    const own = before ?? fresh(id, { provider_id: OWN_SOURCE, external_id: id }, now);
    return [{ ...own, listing_type, is_live, traits: '', seq, updated_at: now }];
  });
  await saveCapabilities(db, rows);
  const touched = rows.map(({ id }) => id);
  await regroup(db, touched, { seq, now, touched });
}

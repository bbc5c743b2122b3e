import { hash } from 'node:crypto';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { CapabilityLinkRow, CapabilityRow } from '#core/db/schema-capabilities.ts';
import { newId } from '#core/ids.ts';
import { publishedOf } from './capabilities.ts';
import { pairOf } from './groups.ts';
import { linksAmong } from './judge-pairs.ts';
import { keysOf } from './keys.ts';
import {
  type Changed,
  capabilitiesById,
  capabilitiesOf,
  countJudgements,
  type Db,
  keysOfIds,
  linksAt,
  listingKey,
  traitsOfIds,
} from './link-store.ts';
import { memberRowOf } from './member.ts';
import { countAfter, type Pair, pairsToJudge } from './pairs-to-judge.ts';
import { NO_CHANGE, type Plan } from './plan.ts';
import { regroup } from './regroup.ts';
import { RULES } from './rules.ts';
import { type Traits, traitsOf } from './traits.ts';

/** What a page of changed listings comes to: capabilities, keys, links, groups. Reads only. */

interface Moved {
  row: CapabilityRow;
  /** Null where its listing is gone. */
  traits: Traits | null;
}

export async function planListings(db: Db, changed: readonly Changed[], now: string): Promise<Plan> {
  const judgements = await countJudgements(db);
  if (changed.length === 0) return { ...NO_CHANGE, judgements };
  const { rows, moved } = await takenIn(db, changed, now);
  const traits = new Map(moved.flatMap(({ row, traits: it }) => (it === null ? [] : [[row.id, it] as const])));
  const change = await relinked(db, moved, traits);
  const touched = rows.map(({ id }) => id);
  const coming = { rows: new Map(rows.map((it) => [it.id, it])), links: change.comingLinks };
  const seeds = [...new Set([...touched, ...[...coming.links.keys()].flatMap((it) => it.split('\n'))])];
  return { judgements, ...change, rows: await regroup(db, seeds, { coming, traits, touched }) };
}

/** Rows of what changed, and of which something changed that identity is judged by. */
async function takenIn(db: Db, changed: readonly Changed[], now: string) {
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
      ...(before ?? freshRow(newId(), listing, now)),
      listing_type: listing.listing_type,
      is_live,
      traits: digest,
    };
    rows.push(row);
    if (before?.traits !== digest) moved.push({ row, traits });
  }
  return { rows, moved };
}

/** Alone, and not saved yet. */
export const freshRow = (
  id: string,
  { provider_id, external_id, listing_type }: Pick<Changed, 'provider_id' | 'external_id' | 'listing_type'>,
  now: string,
): CapabilityRow => ({
  id,
  provider_id,
  external_id,
  listing_type,
  is_live: 1,
  stands_id: id,
  traits: '',
  evidence: '[]',
  confidence: 0,
  seq: 0,
  created_at: now,
  updated_at: now,
});

export const digestOf = (traits: Traits): string =>
  hash('sha256', JSON.stringify([RULES, traits]), 'base64url').slice(0, 16);

/** How the keys and links of these are to be put in order. */
async function relinked(db: Db, moved: readonly Moved[], given: ReadonlyMap<string, Traits>) {
  const ids = moved.map(({ row }) => row.id);
  const before = await keysOfIds(db, ids);
  const after = [...given].flatMap(([id, it]) => keysOf(it).map((key) => ({ id, key, shelf: it.shelf })));
  const change = { before, after, ids: new Set(ids) };
  const pairs = await pairsToJudge(db, change);
  const missing = [...new Set(pairs.flat())].filter((id) => !given.has(id));
  const traits = new Map([...given, ...(await traitsOfIds(db, missing))]);
  const wanted = await linksAmong(pairs, traits, countAfter(db, change));
  return { moved: ids, keys: after, ...(await linkDifference(db, { wanted, pairs, ids: change.ids })) };
}

async function linkDifference(
  db: Db,
  { wanted, pairs, ids }: { wanted: readonly CapabilityLinkRow[]; pairs: readonly Pair[]; ids: ReadonlySet<string> },
) {
  const judged = new Set(pairs.map(([a, b]) => pairOf(a, b)));
  const next = new Map(wanted.map((it) => [pairOf(it.a_id, it.b_id), it]));
  const near = await linksAt(db, [...new Set([...ids, ...pairs.flat()])]);
  const old = new Map(near.map((it) => [pairOf(it.a_id, it.b_id), it]));
  const gone = near.filter(({ a_id, b_id }) => {
    const pair = pairOf(a_id, b_id);
    return !next.has(pair) && (judged.has(pair) || ids.has(a_id) || ids.has(b_id));
  });
  const links = wanted.filter((it) => isOther(old.get(pairOf(it.a_id, it.b_id)), it));
  const comingLinks = new Map<string, CapabilityLinkRow | null>(links.map((it) => [pairOf(it.a_id, it.b_id), it]));
  for (const it of gone) comingLinks.set(pairOf(it.a_id, it.b_id), null);
  return { gone, links, comingLinks };
}

export const isOther = (was: CapabilityLinkRow | undefined, is: CapabilityLinkRow): boolean =>
  was === undefined || was.confidence !== is.confidence || was.evidence !== is.evidence;

/** What is published here is a capability of its own; nothing but an operator's word merges it. */
export async function planPublished(db: Db, ids: readonly string[], now: string): Promise<Plan> {
  const judgements = await countJudgements(db);
  if (ids.length === 0) return { ...NO_CHANGE, judgements };
  const known = new Map((await capabilitiesById(db, ids)).map((it) => [it.id, it]));
  const rows = [...(await publishedOf(db, ids))].flatMap(([id, it]): CapabilityRow[] => {
    const is_live = memberRowOf(it) === null ? 0 : 1;
    const before = known.get(id);
    if (before === undefined && is_live === 0) return [];
    const { listing_type } = it.listing;
    const own = before ?? freshRow(id, { provider_id: OWN_SOURCE, external_id: id, listing_type }, now);
    return [{ ...own, listing_type, is_live, traits: '' }];
  });
  const touched = rows.map(({ id }) => id);
  const coming = { rows: new Map(rows.map((it) => [it.id, it])), links: new Map() };
  return { ...NO_CHANGE, judgements, rows: await regroup(db, touched, { coming, touched }) };
}

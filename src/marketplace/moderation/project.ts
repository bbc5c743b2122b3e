import type { Kysely } from 'kysely';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { type TakenDown, takeDownListings } from '#catalog/items/taken-down.ts';
import type { Schema } from '#core/db/schema.ts';
import { changeListing, nextChange } from '#marketplace/listings/listings.ts';
import { type GroupMember, membersById } from './group.ts';
import { measuresOn } from './measures.ts';

/** Applies takedowns to the listings of a capability, and reverts them. */

export async function hide(trx: Kysely<Schema>, members: readonly GroupMember[], why: TakenDown): Promise<void> {
  await setListings(trx, members, why, why.at);
}

/** Restores listings, except those with another active takedown. */
export async function show(trx: Kysely<Schema>, ids: readonly string[], now: string): Promise<void> {
  const standing = await measuresOn(trx, ids);
  const down = new Set(
    standing.filter((measure) => measure.measure === 'takedown').map((measure) => measure.capability_id),
  );
  const members = (await membersById(trx, ids)).filter(({ id }) => !down.has(id));
  await setListings(trx, members, null, now);
}

async function setListings(
  trx: Kysely<Schema>,
  members: readonly GroupMember[],
  why: TakenDown | null,
  now: string,
): Promise<void> {
  // Takes change numbers in the same order as publishing and syncs, to avoid deadlocks.
  const published = members.filter((member) => member.provider_id === OWN_SOURCE);
  if (published.length > 0) {
    const seq = await nextChange(trx);
    const taken_down = why === null ? null : JSON.stringify(why);
    for (const { external_id } of published)
      await changeListing(trx, external_id, { seq, updated_at: now, taken_down });
  }
  const listed = members.filter((member) => member.provider_id !== OWN_SOURCE);
  await takeDownListings(trx, listed, why, now);
}

import type { Kysely } from 'kysely';
import { accountOf } from '#catalog/identity/normalize.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Group, GroupMember } from './group.ts';
import { listingsUnknown, listingsWanted } from './refusals.ts';
import { openReports } from './reports.ts';

/** Which listings of a capability a moderation action affects. */

interface ListingRef {
  provider: string;
  external_id: string;
}

export interface Concern {
  /** The requested id. The id of a merged listing selects that listing. */
  id: string;
  listings?: readonly ListingRef[] | undefined;
  whole?: boolean | undefined;
}

/**
 * The named listings, otherwise those of open reports or of the requested id, with other listings of their accounts. If nothing
 * selects one, all listings, provided that they belong to one account as far as known. Throws `marketplace.capability_invalid` (`listings_required`) if
 * they belong to several, because the choice must not be arbitrary.
 */
export async function concernedOf(trx: Kysely<Schema>, group: Group, order: Concern): Promise<GroupMember[]> {
  const { members } = group;
  if (order.listings !== undefined) return named(members, order.listings);
  if (order.whole === true || members.length === 1) return members;
  const accounts = await accountsOf(trx, members);
  const told = await toldOf(trx, group);
  if (told.size === 0) {
    const known = new Set([...accounts.values()].filter((account) => account !== null));
    if (known.size > 1) throw listingsWanted(members);
    return members;
  }
  const theirs = new Set([...told].map((id) => accounts.get(id) ?? null));
  return members.filter(
    ({ id }) => told.has(id) || ((accounts.get(id) ?? null) !== null && theirs.has(accounts.get(id) ?? null)),
  );
}

export function named(members: readonly GroupMember[], listings: readonly ListingRef[]): GroupMember[] {
  return listings.map(({ provider, external_id }, at) => {
    const found = members.find((member) => member.provider_id === provider && member.external_id === external_id);
    if (found === undefined) throw listingsUnknown(at);
    return found;
  });
}

async function toldOf(trx: Kysely<Schema>, { id, asked_id, members }: Group): Promise<Set<string>> {
  const open = await openReports(
    trx,
    members.map((member) => member.id),
  );
  const told = new Set(
    open.filter(({ is_about_listing }) => is_about_listing === 1).map((report) => report.capability_id),
  );
  return asked_id === id ? told : told.add(asked_id);
}

/** Accounts by member id; null if unknown. */
async function accountsOf(trx: Kysely<Schema>, members: readonly GroupMember[]): Promise<Map<string, string | null>> {
  const own = members.filter((member) => member.provider_id === OWN_SOURCE).map((member) => member.external_id);
  const published = await trx
    .selectFrom('published_listings')
    .select(['id', 'publisher_id'])
    .where('id', 'in', [...own, ''])
    .execute();
  const publishers = new Map(published.map((row) => [row.id, `publisher ${row.publisher_id}`]));
  return new Map(
    members.map((member) => [
      member.id,
      member.provider_id === OWN_SOURCE
        ? (publishers.get(member.external_id) ?? null)
        : accountOf(member.provider_id, member.external_id),
    ]),
  );
}

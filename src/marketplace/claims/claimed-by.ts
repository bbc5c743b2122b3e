import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import { membersOf } from '#catalog/identity/capabilities.ts';
import { mergeMembers } from '#catalog/identity/survivorship.ts';
import { LISTING_TYPES } from '#catalog/items/kinds.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import { Type } from '#core/json-schema/type.ts';
import { membersById } from '#marketplace/moderation/group.ts';
import { verifiedClaimsOf } from './claims.ts';
import { CLAIM_METHODS } from './make-claim.ts';
import { publishersOf } from './publishers-of.ts';

/** The capabilities that a publisher has claimed, as its page shows them. */

const time = Type.String({ format: 'date-time' });

/** A listing at a provider. */
export const ListedAs = Type.Object({ provider: Type.String(), external_id: Type.String() });

export const Claimed = Type.Object({
  id: Type.String({ description: 'Id of the current capability.' }),
  name: Type.String({ description: 'Empty if none of its listings exists.' }),
  listing_type: Type.Union([Type.Enum([...LISTING_TYPES]), Type.Null()]),
  sources: Type.Array(ListedAs),
  method: Type.Enum([...CLAIM_METHODS]),
  proof: Type.String({ description: 'URL of the claim file.' }),
  verified_at: time,
  checked_at: time,
});

/** Oldest claim first. */
export async function claimedBy(
  db: Kysely<Schema>,
  engine: Database['engine'],
  publisher_id: string,
): Promise<Static<typeof Claimed>[]> {
  const claims = await verifiedClaimsOf(db, publisher_id);
  const rows = await membersById(
    db,
    claims.map(({ capability_id }) => capability_id),
  );
  const stands = new Map(rows.map((row) => [row.id, row.stands_id]));
  const connection = connectionOver(db, engine);
  const ids = [...new Set(stands.values())];
  const members = Map.groupBy(await membersOf(connection, ids), (member) => member.stands_id);
  const publishers = await publishersOf(connection, ids);
  return claims.flatMap((claim) => {
    const id = stands.get(claim.capability_id) ?? claim.capability_id;
    // If the capability now includes more than the claim proves, it is not shown.
    if (members.has(id) && publishers.get(id)?.id !== publisher_id) return [];
    const listings = members.get(id);
    const merged = listings === undefined ? null : mergeMembers(listings);
    const shown = {
      id,
      name: merged?.name ?? '',
      listing_type: merged?.listing_type ?? null,
      sources: merged?.sources.map(({ provider, external_id }) => ({ provider, external_id })) ?? [],
      method: claim.method as 'wallet',
      proof: claim.file_url,
      verified_at: claim.verified_at ?? claim.created_at,
      checked_at: claim.checked_at ?? claim.created_at,
    };
    return [shown];
  });
}

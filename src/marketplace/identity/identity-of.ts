import type { Static } from 'typebox';
import type { Reason } from '#catalog/identity/clustering.ts';
import { capabilitiesById, judgementsAt, pointingTo } from '#catalog/identity/store.ts';
import type { Connection } from '#core/db/connection.ts';
import type { CapabilityRow } from '#core/db/schema-capabilities.ts';
import type { IdentityAnswer } from './contract.ts';

/** The members of a capability with their evidence, and the operators' decisions on them. */
export async function identityOf(
  db: Pick<Connection, 'query'>,
  stands_id: string,
): Promise<Static<typeof IdentityAnswer>> {
  const rows = (await pointingTo(db, [stands_id])).filter(({ is_live }) => is_live === 1);
  const judgements = await judgementsAt(
    db,
    rows.map(({ id }) => id),
  );
  const named = new Map<string, CapabilityRow>();
  for (const row of await capabilitiesById(db, [...new Set(judgements.flatMap(({ a_id, b_id }) => [a_id, b_id]))]))
    named.set(row.id, row);
  const refOf = (id: string) => {
    const row = named.get(id);
    return { provider: row?.provider_id ?? '', external_id: row?.external_id ?? '' };
  };
  return {
    id: stands_id,
    members: rows.toSorted(byId).map(({ id, provider_id, external_id, confidence, evidence }) => ({
      provider: provider_id,
      external_id,
      capability_id: id,
      confidence,
      because: JSON.parse(evidence) as (Reason & { evidence: never[]; against: never[] })[],
    })),
    history: judgements
      .toSorted((a, b) => -byId(a, b))
      .map(({ a_id, b_id, is_same, reason, at }) => ({
        is_same: is_same === 1,
        reason,
        at,
        listings: [refOf(a_id), refOf(b_id)],
      })),
  };
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}

import type { Kysely } from 'kysely';
import { traitsEver } from '#catalog/identity/store.ts';
import type { Connection } from '#core/db/connection.ts';
import type { Schema } from '#core/db/schema.ts';
import { originKeys } from './relisting.ts';

/** Saves the traits of listings when an action is taken, so that later changes by their provider cannot affect others. */
export async function freeze(
  connection: Pick<Connection, 'query'>,
  trx: Kysely<Schema>,
  measure_id: string,
  ids: readonly string[],
): Promise<void> {
  const traits = await traitsEver(connection, ids);
  for (const capability_id of ids) {
    const trait = traits.get(capability_id);
    const keys = trait === undefined ? await digestKeys(trx, capability_id) : originKeys(trait);
    await trx
      .updateTable('capability_measures')
      .set({ traits: trait === undefined ? OWN : JSON.stringify(trait) })
      .where('measure_id', '=', measure_id)
      .where('capability_id', '=', capability_id)
      .execute();
    if (keys.length > 0)
      await trx
        .insertInto('capability_measure_keys')
        .values(keys.map((key) => ({ key, measure_id, capability_id })))
        .onConflict((on) => on.doNothing())
        .execute();
  }
}

/** Traits of published listings, which are identified by their files. */
const OWN = 'null';

const digestKey = (digest: string): string => `own|digest|${digest}`;

async function digestKeys(trx: Kysely<Schema>, listingId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('published_versions')
    .select('digest')
    .distinct()
    .where('listing_id', '=', listingId)
    .execute();
  return rows.map(({ digest }) => digestKey(digest));
}

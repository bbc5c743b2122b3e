import type { Kysely } from 'kysely';
import { nextSeq } from '#catalog/changes/changes.ts';
import type { Item } from '#catalog/items/item.ts';
import type { Schema } from '#core/db/schema.ts';

/** Listings for tests and measurements. */

/** A valid listing, the same for the same number. */
export function exampleItem(number: number, changes: Partial<Item> = {}): Item {
  const provider_id = changes.provider_id ?? 'smithery';
  return {
    name: `tool-${number}`,
    description: 'Reads and writes things.',
    version: '1.0.0',
    author: 'ana',
    homepage: '',
    downloads: number,
    stars: 0,
    tags: [],
    source: provider_id,
    listing_type: 'server',
    external_id: `ana/tool-${number}`,
    provider_id,
    external_updated_at: null,
    execution_class: 'mcp',
    ...changes,
  };
}

/** One transaction that saves the items and tombstones the ids. */
export function saveItems(db: Kysely<Schema>, items: Item[], gone: string[] = []): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const seq = await nextSeq(trx);
    const state = {
      seq,
      changed_at: '',
      first_seen_at: '',
      last_seen_at: '',
      seen_run: '',
      missed_runs: 0,
      removed_at: null,
    };
    for (let at = 0; at < items.length; at += 200) {
      const rows = items.slice(at, at + 200).map(({ source: _, tags, ...item }) => ({
        ...item,
        ...state,
        tags: JSON.stringify(tags),
        license: '',
        repository: '',
        install: null,
        manifest: null,
        reported: '{}',
        facts_held: 0,
        digest: '',
      }));
      const key = ['provider_id', 'external_id'] as const;
      await trx
        .insertInto('listings')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns([...key]).doUpdateSet((eb) => ({
            name: eb.ref('excluded.name'),
            downloads: eb.ref('excluded.downloads'),
            seq,
            removed_at: null,
          })),
        )
        .execute();
    }
    for (const id of gone) {
      const removed = { seq, removed_at: '2026-01-01T00:00:00.000Z' };
      await trx.updateTable('listings').set(removed).where('external_id', '=', id).execute();
    }
  });
}

import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { Handler } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import { readSeq } from '#catalog/changes/changes.ts';
import type { registryContract } from './contract.ts';
import { databaseIdentity } from '#catalog/changes/database-identity.ts';
import { lineOf, tombstoneLine } from './item-line.ts';
import { type ChangeKey, changedRows, type ListingKey, liveRows } from './read-items.ts';

/** Small, because each slow reader holds a page of rows with their manifests. */
const PAGE = 100;
const CHUNK_CHARS = 32 * 1_024;

/** GET /api/marketplace/registry/export */
export const exportItems =
  ({ db }: { db: Kysely<Schema> }): Handler<typeof registryContract.exportItems> =>
  async ({ query: { since } }) => {
    // Read before the first row: what changes while the answer is under way is in the delta that begins here.
    const { current, purged } = await readSeq(db);
    if (since !== undefined && (since < purged || since > current)) throw expired(since, purged, current);
    const identity = await databaseIdentity(db);
    return {
      media_type: 'application/x-ndjson; charset=utf-8',
      body: since === undefined ? snapshotLines(db) : deltaLines(db, since),
      etag: `${identity}-${since === undefined ? '' : `${since}-`}${current}`,
      headers: { 'x-capstan-seq': String(current) },
    };
  };

/** Every live listing by provider and id, some lines a chunk. */
export async function* snapshotLines(db: Kysely<Schema>): AsyncGenerator<string> {
  let after: ListingKey | null = null;
  for (;;) {
    const rows = await liveRows(db, after, PAGE);
    yield* chunksOf(rows.map(lineOf));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last;
  }
}

async function* deltaLines(db: Kysely<Schema>, since: number): AsyncGenerator<string> {
  // Greater than every key of that number, so that the first page begins with the next one.
  let after: ChangeKey = { seq: since + 1, provider_id: '', external_id: '' };
  for (;;) {
    const rows = await changedRows(db, after, PAGE);
    yield* chunksOf(rows.map((row) => (row.removed_at === null ? lineOf(row) : tombstoneLine(row))));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last;
  }
}

/** What is sent waits for the reader by the chunk. */
function* chunksOf(lines: readonly string[]): Generator<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

const expired = (since: number, purged: number, current: number): Problem =>
  new Problem(
    'gone',
    'registry.delta_expired',
    `Changes are known from ${purged} to ${current}, not from ${since}. Fetch the whole export and go on from its X-Capstan-Seq.`,
  );

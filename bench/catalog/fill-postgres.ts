import pg from 'pg';
import type { Item } from '#catalog/items/item.ts';

const TABLE = `CREATE TABLE items (
  name text, description text, version text, author text, homepage text, downloads bigint, stars bigint, tags text[],
  listing_type text, external_id text, provider_id text, external_updated_at timestamptz, execution_class text,
  document tsvector GENERATED ALWAYS AS (to_tsvector('simple', name || ' ' || description || ' ' || author)) STORED)`;

const INDEXES = [
  'CREATE INDEX ON items USING gin (document)',
  'CREATE INDEX ON items USING gin (tags)',
  'CREATE INDEX ON items (provider_id)',
  'CREATE INDEX ON items (downloads DESC, lower(name), provider_id, external_id)',
  'CREATE INDEX ON items (stars DESC, lower(name), provider_id, external_id)',
  'CREATE INDEX ON items (external_updated_at DESC NULLS LAST, lower(name), provider_id, external_id)',
  'CREATE INDEX ON items (lower(name), provider_id, external_id)',
  'ANALYZE items',
];

/** The listings in a table as one would make it for full-text search. */
export async function fillPostgres(url: string, items: readonly Item[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(TABLE);
  for (let at = 0; at < items.length; at += 2_000) {
    const rows = items.slice(at, at + 2_000).map(({ source: _, ...item }) => item);
    await client.query(
      `INSERT INTO items (name, description, version, author, homepage, downloads, stars, tags, listing_type,
         external_id, provider_id, external_updated_at, execution_class)
       SELECT name, description, version, author, homepage, downloads, stars,
         ARRAY(SELECT json_array_elements_text(tags)), listing_type, external_id, provider_id, external_updated_at, execution_class
       FROM json_to_recordset($1) AS it (name text, description text, version text, author text, homepage text,
         downloads bigint, stars bigint, tags json, listing_type text, external_id text, provider_id text,
         external_updated_at timestamptz, execution_class text)`,
      [JSON.stringify(rows)],
    );
  }
  for (const statement of INDEXES) await client.query(statement);
  await client.end();
}

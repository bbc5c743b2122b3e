import Fastify from 'fastify';
import pg from 'pg';
import { report } from './serve.ts';

/** The usual way: Fastify over PostgreSQL's full-text search, with an index for every filter and sort order. */
const [url] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url as string, max: 8 });
const COLUMNS =
  'name, description, version, author, homepage, downloads, stars, tags, provider_id AS source, listing_type, external_id, provider_id, external_updated_at, execution_class';
const ORDERS: Record<string, string> = {
  downloads: 'downloads DESC',
  stars: 'stars DESC',
  updated: 'external_updated_at DESC NULLS LAST',
  name: 'lower(name)',
};
const TIES = 'lower(name), provider_id, external_id';

const fastify = Fastify();
fastify.get<{ Querystring: Record<string, string> }>('/api/marketplace/registry', async ({ query }) => {
  const { sort = 'downloads', limit = '50', offset = '0', search, tag } = query;
  const values: unknown[] = [];
  const conditions: string[] = [];
  const where = (condition: (place: string) => string, value: unknown): void => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  if (query.provider) where((place) => `provider_id = ${place}`, query.provider);
  if (query.listing_type) where((place) => `listing_type = ${place}`, query.listing_type);
  if (query.execution_class) where((place) => `execution_class = ${place}`, query.execution_class);
  if (tag) where((place) => `tags @> ARRAY[${place}]`, tag);
  if (search) where((place) => `document @@ plainto_tsquery('simple', ${place})`, search);
  const from = `FROM items ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}`;
  const order = [...new Set([ORDERS[sort] as string, ...TIES.split(', ')])].join(', ');
  const [count, page] = await Promise.all([
    pool.query(`SELECT count(*)::int AS count ${from}`, values),
    pool.query(`SELECT ${COLUMNS} ${from} ORDER BY ${order} LIMIT ${Number(limit)} OFFSET ${Number(offset)}`, values),
  ]);
  return { items: page.rows, total_count: count.rows[0].count, limit: Number(limit), offset: Number(offset) };
});
await fastify.listen({ host: '127.0.0.1', port: 0 });
report(fastify.server.address());

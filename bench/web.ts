import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';
import { saveItems } from '../test/example-items.ts';
import { linkAllNow } from '../test/linking.ts';
import { openWorld } from '../test/world.ts';
import { listingPath } from '../web/parts/listings.ts';
import { neverRepeatingMix } from './catalog/mixes.ts';
import { runningWords, syntheticItems } from './catalog/synthetic.ts';

/**
 * The pages over a catalog of 100,000 listings: time and processor time of the server for each, over a socket, one request
 * at a time; and what the first page weighs. `node bench/web.ts [listings]`. The goal for the list is 5 ms.
 */
const COUNT = Number(process.argv[2] ?? 100_000);
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const ROUNDS = 300;
const WARM = 60;
const BATCH = 5_000;

const items = syntheticItems(COUNT, runningWords());
const world = await openWorld();
for (let at = 0; at < COUNT; at += BATCH) await saveItems(world.database.db, items.slice(at, at + BATCH));
await world.catalog.refresh();
await linkAllNow(world.database);
await indexed();
const { url } = await world.listen();

const rows: Record<string, Record<string, number>> = {};
const searches = neverRepeatingMix(ROUNDS + WARM, items).map((path) => new URLSearchParams(path.split('?')[1]));
await measure('home', () => '/');
await measure('marketplace, a mix of searches', (round) => searchPage(searches[round] as URLSearchParams));
await measure('marketplace', () => '/marketplace');
await measure(
  'marketplace, filtered and sorted',
  (round) => `/marketplace?listing_type=skill&sort=name&offset=${round * 25}`,
);
await measure('marketplace, never the same search', (round) => {
  const { name, tags } = items[(round * 6_421) % COUNT] as (typeof items)[number];
  return `/marketplace?${new URLSearchParams({ search: `${name} ${tags[0] ?? ''} ${round}` })}`;
});
await measure('listing', (round) => {
  const { provider_id, external_id } = items[(round * 7_919) % COUNT] as (typeof items)[number];
  return listingPath(provider_id, external_id);
});
console.table(rows);
console.table(await firstPage());
await world.close();

/** The list's page for a query of the API's mix. */
function searchPage(query: URLSearchParams): string {
  query.delete('limit');
  return `/marketplace?${query}`;
}

/** Until the marketplace's index, which is updated in a separate thread, has all of them. */
async function indexed(): Promise<void> {
  const { total } = await world.database.db
    .selectFrom('capabilities')
    .select(({ fn }) => fn.count<number>('stands_id').distinct().as('total'))
    .executeTakeFirstOrThrow();
  for (;;) {
    const answer = await world.fetch('/api/marketplace/listings?limit=1');
    if (answer.ok && ((await answer.json()) as { total_count: number }).total_count >= Number(total)) return;
    await sleep(100);
  }
}

async function measure(name: string, path: (round: number) => string): Promise<void> {
  for (let round = 0; round < WARM; round++) await get(path(ROUNDS + round));
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await get(path(round));
    times.push(performance.now() - started);
  }
  const { user, system } = process.cpuUsage(before);
  times.sort((a, b) => a - b);
  rows[name] = {
    'ms (median)': round2(times[ROUNDS / 2] as number),
    'ms (p95)': round2(times[Math.floor(ROUNDS * 0.95)] as number),
    // Of the client, too: it is the same process.
    'CPU ms': round2((user + system) / 1_000 / ROUNDS),
  };
}

function get(path: string, encoding = 'identity'): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = { accept: BROWSER, 'accept-encoding': encoding };
    const asked = httpRequest(`${url}${path}`, { headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () =>
        answer.statusCode === 200
          ? resolve(Buffer.concat(parts))
          : reject(new Error(`${path} answers ${answer.statusCode}`)),
      );
    });
    asked.on('error', reject).end();
  });
}

/** All that a browser loads for `/`, as it goes over the line. */
async function firstPage(): Promise<Record<string, { bytes: number }>> {
  const packed = await get('/', 'br');
  const files = new Set([
    ...`${zlib.brotliDecompressSync(packed)}`.matchAll(/(?:href|src)="(\/-\/[\w-]{12}\/[^"]+)"/g),
  ]);
  const parts: Record<string, { bytes: number }> = { '/': { bytes: packed.byteLength } };
  for (const [, file] of files)
    parts[`${file}`.replace(/^\/-\/[\w-]{12}/, '')] = { bytes: (await get(`${file}`, 'br')).byteLength };
  const bytes = Object.values(parts).reduce((sum, part) => sum + part.bytes, 0);
  return { ...parts, 'in all': { bytes } };
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lazySeq } from '#catalog/changes/changes.ts';
import { linkChanged } from '#catalog/identity/link.ts';
import { isWorthLinkingAll } from '#catalog/identity/link-all.ts';
import { linkDbOver } from '#catalog/identity/save.ts';
import type { Listing } from '#catalog/items/item.ts';
import { IMPORTED, saveListings } from '#catalog/items/items.ts';
import { isoTime } from '#core/clock/clock.ts';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { madeListings, measureMade } from './identity/made-listings.ts';
import { measure } from './identity/measure.ts';
import { hasData, realListings } from './identity/real-listings.ts';

/**
 * Cross-provider identity: how right the merges are against the labelled pairs of CAPSTAN_TEST_DATA, and what they cost.
 * `npm run bench -- identity [listings]`: with a number, copies under other names fill it up to so many. Without that folder, so many
 * listings are generated.
 */
const PAGE = 500;
const UPSERT = 1_000;

const COUNT = 20_000;
const isReal = hasData();
if (!isReal)
  console.log(
    'The labelled pairs are about the listings of CAPSTAN_TEST_DATA. Without it, these listings are generated.',
  );
const made = isReal ? null : madeListings(Number(process.argv[2] ?? COUNT));
const real = made?.listings ?? realListings();
const wanted = Number(process.argv[2] ?? real.length);
const dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
const database = await openDatabase({ engine: 'sqlite', path: join(dir, 'capstan.db'), thread: 'same' });
await migrate(database);
const listings = [...real, ...copies(wanted - real.length)];
await save(listings);

const costs: Record<string, Record<string, number>> = {};
let longestMs = 0;
let longestCpuMs = 0;
await timed('first pass', () => link());
await save(listings.slice(0, UPSERT).map((listing) => ({ ...listing, downloads: listing.downloads + 1 })));
await timed(`${UPSERT} with other counts`, () => link());
await save(
  listings
    .slice(0, UPSERT)
    .map((listing) => ({ ...listing, name: `${listing.name} two`, downloads: listing.downloads + 1 })),
);
await timed(`${UPSERT} with other names`, () => link());
await save(listings.slice(0, UPSERT));
await link();

const rows = await database.db.selectFrom('capabilities').selectAll().execute();
const stands = new Map(rows.map((row) => [`${row.provider_id} ${row.external_id}`, row.stands_id]));
console.table(
  made === null
    ? measure((a, b) => stands.has(a) && stands.get(a) === stands.get(b))
    : measureMade(made.group_of, (key) => stands.get(key)),
);
console.log(`${rows.length} listings are ${new Set(rows.map((row) => row.stands_id)).size} capabilities`);
console.table(costs);
await database.close();
await rm(dir, { recursive: true });

async function link(): Promise<void> {
  const db = linkDbOver(database);
  await linkChanged(
    {
      ...db,
      transaction: async (work) => {
        const [from, cpu] = [performance.now(), process.cpuUsage()];
        try {
          return await db.transaction(work);
        } finally {
          const { user, system } = process.cpuUsage(cpu);
          longestMs = Math.max(longestMs, performance.now() - from);
          longestCpuMs = Math.max(longestCpuMs, (user + system) / 1_000);
        }
      },
    },
    { page: PAGE, now: () => isoTime(Date.now()), isWorthLinkingAll },
  );
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  longestMs = 0;
  longestCpuMs = 0;
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  costs[what] = {
    seconds: round((performance.now() - started) / 1_000),
    cpu_seconds: round((user + system) / 1_000_000),
    longest_hold_ms: Math.round(longestMs),
    // Where other work takes the processors, what the hold would be without it.
    longest_hold_cpu_ms: Math.round(longestCpuMs),
    rss_mb: Math.round(process.memoryUsage.rss() / 1_048_576),
  };
}

async function save(some: readonly Listing[]): Promise<void> {
  for (let at = 0; at < some.length; at += UPSERT)
    await database.db.transaction().execute(async (trx) => {
      const run = { run: IMPORTED, now: isoTime(Date.now()), seq: lazySeq(trx) };
      for (const [provider, of] of Map.groupBy(some.slice(at, at + UPSERT), (listing) => listing.provider_id))
        await saveListings(trx, provider, of, run);
    });
}

/** Of other accounts and repositories, so that they meet each other as real ones do. */
function copies(count: number): Listing[] {
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    const realListing = real[at % real.length] as Listing;
    const mark = `c${Math.floor(at / real.length)}`;
    const marked = (text: string) => text.replace(/(github\.com\/|^)@?([\w-]+)/, `$1$2${mark}`);
    return {
      ...realListing,
      external_id: `${marked(realListing.external_id)}`,
      name: `${realListing.name} ${mark}`,
      install: null,
      repository: marked(realListing.repository),
      homepage: marked(realListing.homepage),
    };
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

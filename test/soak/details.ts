import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Listing } from '#catalog/items/item.ts';
import type { ProviderId } from '#catalog/items/kinds.ts';
import { ALL_PROVIDERS } from '#catalog/providers/all.ts';
import { createSyncEngine } from '#catalog/sync/engine.ts';
import { openBlobStore } from '#core/blobs/blob-store.ts';
import { systemClock } from '#core/clock/clock.ts';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { createLog } from '#core/log.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { sqliteConfig } from '../databases.ts';
import { saveAll } from '../linking.ts';
import { listing } from '../listings.ts';
import { dataFile } from '../test-data.ts';

/**
 * `npm run soak -- details [listings]`: fetches details of 1,000 listings from four providers on loopback at their real pace, and then
 * again. The servers count: no provider may get more requests in any ten seconds than its pace allows, and none the second time.
 */

const COUNT = Number(process.argv[2] ?? 1_000);
const IDS = ['mcp-registry', 'smithery', 'glama', 'clawhub'] as const;
const WINDOW_MS = 10_000;

interface Arrival {
  provider: string;
  at_ms: number;
}

const arrivals: Arrival[] = [];

/** The same server for all: the first segment of the path names the provider. */
function bodyOf(path: string): object | string {
  if (path.startsWith('raw/')) return path.endsWith('README.md') ? '# Made up' : 'MIT License';
  if (path.startsWith('smithery/'))
    return { qualifiedName: 'x', remote: true, deploymentUrl: 'https://x.example/mcp', tools: [{ name: 'a' }] };
  if (path.startsWith('glama/')) return { id: 'x', tools: [{ name: 'a' }], spdxLicense: null };
  if (path.startsWith('mcp-registry/')) return { servers: [] };
  if (path.endsWith('/file')) return '# Skill';
  if (path.includes('/versions/')) return { version: { files: [{ path: 'SKILL.md' }, { path: 'run.py' }] } };
  return { owner: { handle: 'ann' } };
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://host');
  const path = pathname.slice(1);
  arrivals.push({ provider: path.split('/')[0] ?? '', at_ms: performance.now() });
  const body = bodyOf(path);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  response.writeHead(200, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Real ids if there are some. ClawHub's server has one owner. */
function listingsOf(): Listing[] {
  const file = dataFile('listings.jsonl');
  const real =
    file === null
      ? []
      : (readFileSync(file, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)) as Listing[]);
  return IDS.flatMap((provider) => {
    const known = real.filter(({ provider_id }) => provider_id === provider).map(({ external_id }) => external_id);
    return Array.from({ length: COUNT / IDS.length }, (_, n) => {
      const id = known[n] ?? `ann/made-up-${n}`;
      const isSkill = provider === 'clawhub';
      return listing(provider, isSkill ? `ann/${id.slice(id.indexOf('/') + 1)}-${n}` : id, {
        listing_type: isSkill ? 'skill' : 'server',
        execution_class: isSkill ? 'prompt' : 'mcp',
        version: provider === 'glama' || provider === 'smithery' ? '' : '1.0.0',
        repository: provider === 'glama' && n % 2 === 0 ? `https://github.com/ann/made-up-${n}` : '',
        downloads: n,
      });
    });
  });
}

const { config, drop } = await sqliteConfig();
const database = await openDatabase(config);
await migrate(database);
const dir = mkdtempSync(join(tmpdir(), 'capstan-details-'));
const outbound = createOutbound({ allow_loopback: true, user_agent: 'unused' });
const listings = listingsOf();
await saveAll(database, listings);
const engine = createSyncEngine({
  db: database.db,
  jobs: jobTable(database, systemClock),
  clock: systemClock,
  log: createLog('silent'),
  fetch: outbound.fetch,
  blobs: openBlobStore(dir),
  providers: ALL_PROVIDERS,
  config: {
    providers: [...IDS],
    urls: Object.fromEntries(IDS.map((id) => [id, `${url}/${id}`])),
    keys: {},
    interval_ms: 3_600_000,
    full_interval_ms: 86_400_000,
    public_url: 'http://127.0.0.1:8080',
    version: '0.1.0',
    details: { per_minute: 600, max_bytes: 100_000_000, github_raw_url: `${url}/raw` },
  },
});

/** Rounds without the minute between them, so that only the pace of the provider limits the requests. */
async function pass(id: ProviderId): Promise<void> {
  const handler = engine.kinds[`registry.details.${id}`]?.handler;
  for (;;) {
    const done = await handler?.({ signal: new AbortController().signal } as never);
    if ((done?.again_at_ms ?? 0) - systemClock.now() > 300_000) return;
  }
}

/** The most requests of a provider in any window. */
function mostOf(provider: string): number {
  const times = arrivals.filter((arrival) => arrival.provider === provider).map(({ at_ms }) => at_ms);
  let most = 0;
  for (let from = 0, to = 0; to < times.length; to++) {
    while ((times[to] as number) - (times[from] as number) >= WINDOW_MS) from++;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

const beganMs = performance.now();
await Promise.all(IDS.map(pass));
const firstCount = arrivals.length;
const tookS = Math.round((performance.now() - beganMs) / 1_000);
const paces = new Map<string, number>([
  ...ALL_PROVIDERS.map(({ id, pace }) => [id, pace.interval_ms] as const),
  ['raw', 500],
]);
let failed = false;
for (const provider of [...IDS, 'raw']) {
  // One more for the request at the start of the window, and one that arrived late.
  const allowed = Math.ceil(WINDOW_MS / (paces.get(provider) ?? 0)) + 2;
  const most = mostOf(provider);
  failed ||= most > allowed;
  const all = arrivals.filter((arrival) => arrival.provider === provider).length;
  process.stdout.write(`${provider}: ${all} requests, at most ${most} in 10 s (allowed ${allowed})\n`);
}
await saveAll(
  database,
  listings.map((each) => ({ ...each, downloads: each.downloads + 1 })),
);
await Promise.all(IDS.map(pass));
const again = arrivals.length - firstCount;
const { complete } = await database.db
  .selectFrom('listing_details')
  .select((eb) => eb.fn.countAll<number>().as('complete'))
  .where('fetched_at', 'is not', null)
  .executeTakeFirstOrThrow();
process.stdout.write(
  `${complete} of ${listings.length} listings complete in ${tookS} s; ${again} requests the second time\n`,
);
failed ||= again > 0 || Number(complete) !== listings.length;
server.close();
await outbound.close();
await database.close();
await drop();
rmSync(dir, { recursive: true, force: true });
process.exit(failed ? 1 : 0);

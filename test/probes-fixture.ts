import type { IncomingMessage, ServerResponse } from 'node:http';
import { nextSeq } from '#catalog/changes/changes.ts';
import { touchProbed } from '#catalog/identity/capabilities.ts';
import type { Listing } from '#catalog/items/item.ts';
import { IMPORTED, removeListings, saveListings } from '#catalog/items/items.ts';
import type { ProviderId } from '#catalog/items/kinds.ts';
import { findRow } from '#catalog/items/read-items.ts';
import { openProbes } from '#catalog/probes/open-probes.ts';
import type { StartPackages } from '#catalog/probes/probe-package.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { createLog } from '#core/log.ts';
import { createMetrics } from '#core/metrics/metrics.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import type { TestDatabase } from './databases.ts';
import { type FakeTool, startMcpFake } from './fakes/mcp-server.ts';
import { listing, remote } from './listings.ts';

/** Listings that name servers, and processes that probe them on a fake clock. */

export const USER_AGENT = 'Capstan/0.1.0 (+https://capstan.example)';
const DAY_MS = 86_400_000;

interface FixtureOptions {
  probe?: 'off';
  skip?: string[];
  servers?: StartPackages;
  packages?: Partial<Record<'packages_per_day' | 'packages_concurrency', number>>;
}

export async function probesFixture(database: TestDatabase, more: FixtureOptions = {}) {
  const clock = { ms: Date.parse('2026-03-01T00:00:00Z'), now: () => clock.ms };
  const jobs = jobTable(database, clock);
  const outbound = createOutbound({ allow_loopback: true, user_agent: 'unused' });
  const metrics = createMetrics();
  const refusePackage = () => (more.servers === undefined ? 'Packages are switched off here.' : null);
  const open = () =>
    openProbes({
      database,
      jobs,
      clock,
      log: createLog('silent'),
      fetch: outbound.fetch,
      metrics,
      user_agent: USER_AGENT,
      public_url: 'https://capstan.example',
      whyNoFiles: () => null,
      refusePackage,
      refuseBySettings: refusePackage,
      package_rules: more.servers === undefined ? 'none' : 'all',
      servers: more.servers ?? { through: () => Promise.reject(new Error('no package is started here')) },
      toolsChecked: touchProbed,
      config: {
        probe: more.probe ?? 'on',
        skip: more.skip ?? [],
        concurrency: 2,
        packages: more.servers === undefined ? 'off' : 'on',
        packages_per_day: 1_000,
        packages_concurrency: 1,
        ...more.packages,
      },
    });
  const { kinds, schedule, readRunnable, probeAsked } = open();
  /** Runs all due jobs, like one process. */
  const work = async (worker = 'one'): Promise<void> => {
    for (;;) {
      const job = await jobs.claim(Object.keys(kinds), worker, 8_000);
      if (job === null) return;
      const fence = (trx: Parameters<typeof jobs.fence>[0]) => jobs.fence(trx, job);
      const done = await kinds[job.kind]?.handler({ job, signal: new AbortController().signal, fence });
      await jobs.complete(job, done?.again_at_ms ?? null);
    }
  };
  const change = (listings: Listing[], removed: string[] = [], provider: ProviderId = 'smithery') =>
    database.db.transaction().execute(async (trx) => {
      const seq = await nextSeq(trx);
      const save = { run: IMPORTED, now: new Date(clock.ms).toISOString(), seq: async () => seq };
      await saveListings(trx, provider, listings, save);
      await removeListings(trx, provider, removed, save);
    });
  return {
    clock,
    jobs,
    metrics,
    outbound,
    kinds,
    work,
    change,
    db: database.db,
    /** Saves listings of servers at these addresses, by id. */
    list: async (urls: Record<string, string>, more: Partial<Listing> = {}) => {
      await change(Object.entries(urls).map(([id, url]) => listing('smithery', id, { ...remote(url), ...more })));
      await schedule();
    },
    schedule,
    readRunnable,
    probeAsked,
    pass: (days: number) => {
      clock.ms += days * DAY_MS;
    },
    read: async (external_id: string, provider_id = 'smithery') => {
      const row = await findRow(database.db, { provider_id, external_id });
      return readRunnable(row as ListingRow);
    },
  };
}

/** A server with a robots.txt, which records its requests. */
export async function startProbed(tools: FakeTool[] = [], robots = '') {
  const fake = await startMcpFake(tools);
  const requests: string[] = [];
  const probed = {
    fake,
    requests,
    url: fake.url,
    close: fake.close,
    /** If set, handles all requests except for robots.txt. */
    answer: null as ((request: IncomingMessage, response: ServerResponse) => void) | null,
    robots: { status: robots === '' ? 404 : 200, text: robots, headers: {} as Record<string, string> },
  };
  fake.fault = (request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['user-agent']}`);
    const { status, text, headers } = probed.robots;
    if (request.url === '/robots.txt') response.writeHead(status, headers).end(text);
    else if (probed.answer === null) return false;
    else probed.answer(request, response);
    return true;
  };
  return probed;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { nextSeq } from '#catalog/changes/changes.ts';
import { touchProbed } from '#catalog/identity/capabilities.ts';
import type { Listing } from '#catalog/items/item.ts';
import { IMPORTED, removeListings, saveListings } from '#catalog/items/items.ts';
import { findRow } from '#catalog/items/read-items.ts';
import { openProbes } from '#catalog/probes/open-probes.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { createLog } from '#core/log.ts';
import { createMetrics } from '#core/metrics/metrics.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import type { TestDatabase } from './databases.ts';
import { type FakeTool, startMcpFake } from './fakes/mcp-server.ts';
import { listing, remote } from './listings.ts';

/** Listings that name servers, and processes that visit them at the test's own time. */

export const USER_AGENT = 'Capstan/0.1.0 (+https://capstan.example)';
const DAY_MS = 86_400_000;

export async function probesStand(database: TestDatabase, more: { skip?: string[] } = {}) {
  const clock = { ms: Date.parse('2026-03-01T00:00:00Z'), now: () => clock.ms };
  const jobs = jobTable(database, clock);
  const outbound = createOutbound({ allow_loopback: true, user_agent: 'none of its own' });
  const metrics = createMetrics();
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
      toolsChecked: touchProbed,
      config: { probe: 'on', skip: more.skip ?? [], concurrency: 2 },
    });
  const { kinds, schedule, readRunnable } = open();
  /** Does all that is due now, as one process would. */
  const work = async (worker = 'one'): Promise<void> => {
    for (;;) {
      const job = await jobs.claim(Object.keys(kinds), worker, 8_000);
      if (job === null) return;
      const fence = (trx: Parameters<typeof jobs.fence>[0]) => jobs.fence(trx, job);
      const done = await kinds[job.kind]?.handler({ job, signal: new AbortController().signal, fence });
      await jobs.complete(job, done?.again_at_ms ?? null);
    }
  };
  const change = (listings: Listing[], removed: string[] = []) =>
    database.db.transaction().execute(async (trx) => {
      const seq = await nextSeq(trx);
      const save = { run: IMPORTED, now: new Date(clock.ms).toISOString(), seq: async () => seq };
      await saveListings(trx, 'smithery', listings, save);
      await removeListings(trx, 'smithery', removed, save);
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
    /** Listings of servers at these addresses, by id. */
    list: async (urls: Record<string, string>, more: Partial<Listing> = {}) => {
      await change(Object.entries(urls).map(([id, url]) => listing('smithery', id, { ...remote(url), ...more })));
      await schedule();
    },
    pass: (days: number) => {
      clock.ms += days * DAY_MS;
    },
    read: async (external_id: string) => {
      const row = await findRow(database.db, { provider_id: 'smithery', external_id });
      return readRunnable(row as ListingRow);
    },
  };
}

/** A server that tells robots what they may do, and notes who came. */
export async function startVisited(tools: FakeTool[] = [], robots = '') {
  const fake = await startMcpFake(tools);
  const visits: string[] = [];
  const visited = {
    fake,
    visits,
    url: fake.url,
    close: fake.close,
    /** Answers everything but robots.txt where it is set. */
    answer: null as ((request: IncomingMessage, response: ServerResponse) => void) | null,
    robots: { status: robots === '' ? 404 : 200, text: robots, headers: {} as Record<string, string> },
  };
  fake.fault = (request, response) => {
    visits.push(`${request.method} ${request.url} ${request.headers['user-agent']}`);
    const { status, text, headers } = visited.robots;
    if (request.url === '/robots.txt') response.writeHead(status, headers).end(text);
    else if (visited.answer === null) return false;
    else visited.answer(request, response);
    return true;
  };
  return visited;
}

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSyncState } from '#catalog/sync/sync-states.ts';
import type { TestDatabase } from './databases.ts';
import { type FaultServer, record, startFaultServer } from './fakes/fault-server.ts';

const LISTINGS = 95;
const PAGE_SIZE = 10;

/**
 * Kills a syncing process with SIGKILL in mid-sync, again and again. After each kill the database holds whole pages and
 * nothing else; the process after it ends the same run. Answers the longest time from a kill to the end of its run, in ms.
 */
export async function killSync(database: TestDatabase, loops: number, random = Math.random): Promise<number> {
  const server = await startFaultServer([], PAGE_SIZE);
  let longest = 0;
  try {
    for (let loop = 1; loop <= loops; loop++) {
      server.records = Array.from({ length: LISTINGS }, (_, n) => record(`kill/${n}`, { name: `pass ${loop}` }));
      await killOnce(database, server, random);
      await assertWholePages(database, loop);
      const killedAt = Date.now();
      const child = spawnChild(database, server, false);
      const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(60_000) }).finally(() => child.kill());
      assert.equal(code, 0);
      longest = Math.max(longest, Date.now() - killedAt);
      await assertWhole(database, loop);
    }
  } finally {
    await server.close();
  }
  return longest;
}

/** At a page of chance and a moment after it, so that kills hit requests, transactions and the gaps between. */
async function killOnce(database: TestDatabase, server: FaultServer, random: () => number): Promise<void> {
  const page = 1 + Math.floor(random() * (LISTINGS / PAGE_SIZE - 1));
  const waitMs = random() * 12;
  const asked = Promise.withResolvers<void>();
  server.requests.length = 0;
  server.fault = (_request, number) => {
    if (number === page) asked.resolve();
    // The kill must come before the run's end, however slow this machine is.
    return { delay_ms: number > page + 1 ? 1_000 : 3 };
  };
  const child = spawnChild(database, server, true);
  await Promise.race([asked.promise, once(child, 'exit').then(() => assert.fail('the child ended by itself'))]);
  await sleep(waitMs);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  server.fault = () => undefined;
}

function spawnChild(database: TestDatabase, server: FaultServer, start_new: boolean): ChildProcess {
  const order = JSON.stringify({ database: database.config, url: server.url, start_new });
  const child = new URL('./kill-sync-child.ts', import.meta.url).pathname;
  return spawn(process.execPath, [child, order], { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function assertWholePages(database: TestDatabase, loop: number): Promise<void> {
  const rows = await database.db.selectFrom('listings').select(['name', 'seq', 'seen_run']).execute();
  const state = await readSyncState(database.db, 'glama');
  const fresh = rows.filter((row) => row.name === `pass ${loop}`);
  const seen = loop === 1 || fresh.length > 0 ? state.seen : 0;
  assert.equal(fresh.length, seen, 'the state counts what is saved');
  assert.ok(seen % PAGE_SIZE === 0 || seen === LISTINGS, `${seen} listings are no whole pages`);
  const perSeq = Map.groupBy(fresh, (row) => row.seq);
  for (const page of perSeq.values()) assert.ok(page.length === PAGE_SIZE || page.length === LISTINGS % PAGE_SIZE);
}

async function assertWhole(database: TestDatabase, loop: number): Promise<void> {
  const rows = await database.db.selectFrom('listings').select(['external_id', 'name', 'removed_at']).execute();
  assert.equal(rows.length, LISTINGS);
  assert.equal(new Set(rows.map((row) => row.external_id)).size, LISTINGS);
  assert.ok(rows.every((row) => row.name === `pass ${loop}` && row.removed_at === null));
  const state = await readSyncState(database.db, 'glama');
  const expected = ['succeeded', LISTINGS, LISTINGS, 0];
  assert.deepEqual([state.status, state.seen, state.added + state.updated, state.removed], expected);
}

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { systemClock as clock } from '#core/clock/clock.ts';
import { clockCheck } from '#core/clock/clock-check.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { oneDatabase } from '#test/databases.ts';
import { answering, found } from '#test/doctor-stand.ts';
import { freePort } from '#test/free-port.ts';
import { egressCheck } from './egress-check.ts';
import { providersCheck } from './providers-check.ts';
import { reachProviders } from './reach-providers.ts';
import { readSyncState, type SyncState, writeSyncState } from './sync-states.ts';

let server: Awaited<ReturnType<typeof answering>>;
let lateMs = 0;
before(async () => {
  server = await answering((_request, response) =>
    response.writeHead(404, { date: new Date(Date.now() + lateMs).toUTCString() }).end(),
  );
});
after(() => server[Symbol.asyncDispose]());
const outbound = createOutbound({ allow_loopback: true, user_agent: 'test' });
after(() => outbound.close());

const NOBODY = `http://127.0.0.1:${await freePort()}`;
const reach = (urls: { glama: string; docker: string }) => (signal: AbortSignal) =>
  reachProviders({ providers: ['glama', 'docker'], urls, fetch: outbound.fetch }, signal);

test('doctor reports whether all, some or none of the providers are reachable', async () => {
  const look = (glama: string, docker: string) => found(egressCheck(reach({ glama, docker })));
  assert.deepEqual(await look(server.url, server.url), ['ok: 2 of 2 providers are reachable.']);
  assert.match(
    (await look(server.url, NOBODY)).join(),
    /^ok: 1 of 2 .*,warn: Docker.* is unreachable: .*CAPSTAN_PROVIDER_DOCKER_URL=/,
  );
  assert.match(
    (await look(NOBODY, NOBODY)).join(),
    /^warn: No outbound network access: none of 2 .* → .*CAPSTAN_PROVIDERS=off.*capstand import/,
  );
  assert.match((await found(egressCheck(async () => []))).join(), /^ok: CAPSTAN_PROVIDERS is off/);
  const inside = reachProviders(
    { providers: ['glama'], urls: { glama: 'https://10.0.0.1' }, fetch: outbound.fetch },
    new AbortController().signal,
  );
  assert.equal((await inside)[0]?.problem?.code, 'outbound.failed');
});

oneDatabase('the checks of providers and the clock by doctor', (open) => {
  test('report each provider by its last sync', async () => {
    const { db } = await open();
    const now = '2026-03-10T00:00:00.000Z';
    const save = async (id: (typeof PROVIDERS)[number], more: Partial<SyncState>) =>
      writeSyncState(db, { ...(await readSyncState(db, id)), last_success_at: now, ...more });
    const error = JSON.stringify({ code: 'registry.provider_failed', detail: 'It answered 500.' });
    await save('mcp-registry', { status: 'succeeded', seen: 7 });
    await save('glama', { status: 'failed', failures: 4, error });
    await save('docker', { status: 'succeeded', last_success_at: '2026-03-01T00:00:00.000Z' });
    await save('clawhub', { status: 'running' });
    const config = {
      providers: PROVIDERS.filter((provider) => provider !== 'skills-sh'),
      keys: {},
      full_interval_ms: 86_400_000,
    };
    const lines = await found(providersCheck({ db, clock: { now: () => Date.parse(now) }, config }));
    const of = (word: string) => lines.filter((line) => line.includes(word)).join();
    assert.match(of('MCP Registry'), /^ok: .* 7 listings\.$/);
    assert.match(of('Glama'), /^warn: .* failed 4 times .* It answered 500\. → capstand sync glama$/);
    assert.match(of('Docker'), /^warn: .* last synced 2026-03-01/);
    assert.match(of('ClawHub'), /^ok: .* is being synced/);
    assert.match(of('never'), /^warn: .* was never synced/);
    assert.equal(lines.at(-1), 'ok: Excluded by CAPSTAN_PROVIDERS: skills-sh.');
  });

  test('report a clock that is ahead and rows dated in the future', async () => {
    const database = await open();
    const { db } = database;
    const urls = { glama: server.url, docker: server.url };
    const told = async (signal: AbortSignal) => (await reach(urls)(signal)).flatMap((reached) => reached.told ?? []);
    const look = () => found(clockCheck({ database, told }));
    lateMs = -90_000;
    const ahead = (await look()).join();
    assert.match(
      ahead,
      /^ok: The database has no timestamps in the future.*fail: (89|90|91)\.\d s ahead of 127\.0\.0\.1:\d+'s\. → .*timedatectl.*ok: It runs evenly/,
    );
    const applied_at = new Date(clock.now() + 3_600_000).toISOString();
    await db.updateTable('schema_migrations').set({ applied_at }).where('version', '=', 1).execute();
    lateMs = 0;
    assert.match((await look()).join(), /^fail: .* the clock was set back.*ok: Within 3 s of 127/);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobTable, LeaseLost } from '#core/jobs/jobs.ts';
import { eachDatabase } from '#test/databases.ts';
import { type FaultServer, records } from '#test/fakes/fault-server.ts';
import { bench, errorOf, HOUR, START, serve } from '#test/sync-stand.ts';
import { until } from '#test/until.ts';
import { syncJob } from './engine.ts';

eachDatabase('sync failures', (open) => {
  test('a failed run keeps saved listings and its reason, and the next run resumes', async () => {
    const server = await serve(records(30));
    server.fault = ({ cursor }) => (cursor === '20' ? { status: 500 } : undefined);
    const { run, live } = await bench(await open(), server);
    const failed = await run();
    assert.equal(failed.status, 'failed');
    assert.equal(errorOf(failed).code, 'registry.provider_failed');
    assert.deepEqual([failed.seen, failed.cursor, (await live()).length], [20, '20', 20]);
    assert.equal(failed.next_run_at, new Date(START + 30_000).toISOString());
    server.fault = () => undefined;
    server.requests.length = 0;
    const state = await run();
    assert.deepEqual([state.status, state.seen, state.run_id, state.failures], ['succeeded', 30, failed.run_id, 0]);
    assert.deepEqual(
      server.requests.map((request) => request.cursor),
      ['20'],
    );
  });

  test('each provider error ends the run with its code', async () => {
    const server = await serve(records(30));
    const { run, live } = await bench(await open(), server, {
      pace: { concurrency: 1, interval_ms: 0, timeout_ms: 20_000, max_bytes: 1_000_000 },
    });
    const cases: [FaultServer['fault'], string][] = [
      [() => ({ body: '<html>login</html>' }), 'registry.provider_failed'],
      [() => ({ body: '{"items":7}' }), 'http.internal'],
      [() => ({ padding: 50_000_000 }), 'outbound.failed'],
      [({ cursor }) => ({ next: cursor === null ? '10' : cursor }), 'registry.provider_failed'],
      [
        ({ cursor }) => ({ next: cursor === '20' ? '10' : String(Number(cursor ?? 0) + 10) }),
        'registry.provider_failed',
      ],
      [
        () => ({
          next: String(Math.random()),
          body: JSON.stringify({ items: [], next: `${Math.random()}`, total: 0 }),
        }),
        'registry.provider_failed',
      ],
    ];
    for (const [fault, code] of cases) {
      server.fault = fault;
      const state = await run();
      assert.deepEqual([state.status, errorOf(state).code, state.cursor], ['failed', code, null]);
    }
    server.fault = () => undefined;
    assert.equal((await run()).status, 'succeeded');
    assert.equal((await live()).length, 30);
  });

  test('a hanging provider and a dropped connection fail the run', async () => {
    const server = await serve(records(30));
    const { run } = await bench(await open(), server, {
      pace: { concurrency: 1, interval_ms: 0, timeout_ms: 300, max_bytes: 1_000_000 },
    });
    server.fault = () => ({ hang: true });
    assert.equal(errorOf(await run()).code, 'outbound.timeout');
    server.fault = () => ({ cut: true });
    assert.equal(errorOf(await run()).code, 'outbound.failed');
  });

  test('Retry-After delays the next run', async () => {
    const server = await serve(records(3));
    server.fault = () => ({ status: 429, headers: { 'retry-after': '7200' } });
    const { run } = await bench(await open(), server);
    const state = await run();
    assert.equal(errorOf(state).code, 'registry.provider_failed');
    assert.equal(state.next_run_at, new Date(START + 2 * HOUR).toISOString());
  });

  test('a provider without its required key is disabled, and its status names the missing variable', async () => {
    const server = await serve(records(3));
    const needy = await bench(await open(), server, { key: 'required' });
    const state = await needy.run();
    assert.equal(state.status, 'disabled');
    assert.match(errorOf(state).detail ?? '', /CAPSTAN_PROVIDER_GLAMA_KEY/);
    assert.equal(server.requests.length, 0);
    server.fault = ({ headers }) => (headers.authorization === 'Bearer right' ? undefined : { status: 401 });
    const refused = await bench(await open(), server, { key: 'optional' });
    assert.equal((await refused.run()).status, 'disabled');
    const wrong = await bench(await open(), server, { key: 'optional' }, { keys: { glama: 'wrong' } });
    assert.deepEqual(
      [(await wrong.run()).status, errorOf(await wrong.run()).code],
      ['failed', 'registry.provider_failed'],
    );
    const right = await bench(await open(), server, { key: 'required' }, { keys: { glama: 'right' } });
    assert.equal((await right.run()).status, 'succeeded');
  });

  test('a run that lost its lease writes nothing', async () => {
    const server = await serve(records(30));
    const { live, engine, clock, database } = await bench(await open(), server);
    const jobs = jobTable(database, clock);
    await jobs.put({ kind: syncJob('glama'), key: 'glama' });
    const lease = await jobs.claim([syncJob('glama')], 'slow', 1_000);
    assert.ok(lease);
    const taken = Promise.withResolvers<void>();
    server.fault = ({ cursor }) => {
      if (cursor === '10') clock.ms += 2_000;
      return cursor === '10' ? { until: taken.promise } : undefined;
    };
    const signal = new AbortController().signal;
    const slow = engine.kinds[syncJob('glama')]?.handler({
      job: lease,
      signal,
      fence: (trx) => jobs.fence(trx, lease),
    });
    await until('the second page', () => server.requests.length === 2);
    assert.ok(await jobs.claim([syncJob('glama')], 'other', 60_000));
    taken.resolve();
    await assert.rejects(slow as Promise<unknown>, LeaseLost);
    assert.equal((await live()).length, 10);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSeq } from '#catalog/changes/changes.ts';
import { IMPORTED, saveListings } from '#catalog/items/items.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { eachDatabase } from '#test/databases.ts';
import { listing, record, records } from '#test/fakes/fault-server.ts';
import { bench, errorOf, HOUR, serve } from '#test/sync-stand.ts';
import { PURGE_JOB, syncJob } from './engine.ts';

eachDatabase('sync', (open) => {
  test('reads all pages, and gives a new sequence number only to listings that changed', async () => {
    const odd = ['a/b', '@scope/x', 'x.y.z', '100%25', 'UPPER/case', 'upper/case', 'ü/日本', 'a/md', "quote'd"];
    const server = await serve([...records(25), ...odd.map((id) => record(id))]);
    const { run, rows, database } = await bench(await open(), server);
    const first = await run();
    assert.equal(first.status, 'succeeded');
    assert.deepEqual([first.mode, first.seen, first.total, first.added, first.updated], ['full', 34, 34, 34, 0]);
    assert.deepEqual(
      new Set((await rows()).map((row) => row.external_id)),
      new Set(server.records.map((record) => (record as { id: string }).id)),
    );
    const { current } = await readSeq(database.db);
    assert.equal(current, 4);
    server.records[0] = record('r/00000', { name: 'renamed' });
    const second = await run();
    assert.deepEqual([second.seen, second.added, second.updated], [34, 0, 1]);
    const changed = (await rows()).filter((row) => row.seq > current);
    assert.deepEqual(
      changed.map((row) => [row.external_id, row.name, row.seq]),
      [['r/00000', 'renamed', current + 1]],
    );
  });

  test('ten thousand malformed records are rejected with reasons, and the others are saved', async () => {
    const malformed = Array.from(
      { length: 10_000 },
      (_, n) => [null, 7, [], { id: n }, { id: `x${n}`, name: 9 }, { name: 'a' }, 'text'][n % 7],
    );
    const server = await serve([...malformed, ...records(5)], 1_000);
    server.records.push(record('x'.repeat(2_000)), record('nul\0'), record('ok', { name: 'with \0 and \ud800' }));
    const { run, live, database } = await bench(await open(), server);
    const state = await run();
    assert.equal(state.status, 'succeeded');
    assert.equal(state.rejected, 10_002);
    assert.equal((await live()).length, 6);
    const reasons = await database.db
      .selectFrom('rejected_records')
      .select('reason')
      .distinct()
      .orderBy('reason')
      .execute();
    assert.ok(
      reasons.some((reason) => reason.reason.includes('longer than')) &&
        reasons.every((reason) => reason.reason !== ''),
    );
    server.records = records(5).concat(record('ok'));
    await run();
    assert.equal((await database.db.selectFrom('rejected_records').selectAll().execute()).length, 0);
  });

  test('an id that appears twice in a run counts once, and the first record wins', async () => {
    const server = await serve([
      ...records(12),
      record('r/00001', { name: 'again' }),
      record('r/00011', { name: 'again' }),
    ]);
    const { run, rows } = await bench(await open(), server);
    const state = await run();
    assert.deepEqual([state.seen, state.added, state.updated], [12, 12, 0]);
    assert.ok((await rows()).every((row) => row.name.startsWith('name of')));
  });

  test('listings missing from two full runs become tombstones, and are restored when they return', async () => {
    const server = await serve(records(10));
    const { run, rows, live } = await bench(await open(), server);
    await run();
    server.records = records(8);
    assert.equal((await run()).removed, 0);
    assert.equal((await live()).length, 10);
    assert.equal((await run()).removed, 2);
    assert.equal((await live()).length, 8);
    const tombstones = (await rows()).filter((row) => row.removed_at !== null);
    const newest = Math.max(...(await rows()).map((row) => row.seq));
    assert.ok(tombstones.every((row) => row.seq === newest));
    server.records = records(10);
    const back = await run();
    assert.deepEqual([back.added, (await live()).length], [2, 10]);
  });

  test('a listing missing from one run is kept', async () => {
    const server = await serve(records(10));
    const { run, live } = await bench(await open(), server);
    for (const count of [10, 9, 10, 9, 10]) {
      server.records = records(count);
      await run();
      assert.equal((await live()).length, 10);
    }
  });

  test('a run with fewer than half of the listings removes nothing until an operator accepts it', async () => {
    const server = await serve(records(10));
    const { run, live, engine, clock, database } = await bench(await open(), server);
    await run();
    server.records = records(4);
    for (let n = 0; n < 4; n++) {
      const state = await run();
      assert.equal(state.status, 'partial');
      assert.equal(errorOf(state).code, 'registry.provider_failed');
    }
    assert.equal((await live()).length, 10);
    server.records = records(5);
    assert.equal((await run()).status, 'succeeded');
    server.records = records(1);
    await engine.syncNow('glama', { accept_fewer: true });
    const jobs = jobTable(database, clock);
    const lease = await jobs.claim([syncJob('glama')], 'test', 60_000);
    assert.deepEqual(lease?.payload, { force: true, accept_fewer: true });
  });

  test('the first full run is compared with imported listings, and if partial, removes none of them', async () => {
    const server = await serve(records(3));
    const { run, live, database } = await bench(await open(), server);
    const imported = Array.from({ length: 10 }, (_, n) => listing('glama', `imported/${n}`));
    await saveListings(database.db, 'glama', imported, {
      run: IMPORTED,
      now: '2026-01-01T00:00:00.000Z',
      seq: async () => 1,
    });
    for (let n = 0; n < 3; n++) assert.equal((await run()).status, 'partial');
    assert.equal((await live()).length, 13);
  });

  test('a listing that its provider reports as deleted is removed at once', async () => {
    const server = await serve(records(10));
    const { run, live } = await bench(await open(), server, { incremental: true });
    assert.equal((await run()).mode, 'full');
    const later = '2026-01-05T00:00:00.000Z';
    server.records = [record('r/00003', { deleted: true, updated: later }), record('new/one', { updated: later })];
    const state = await run();
    assert.deepEqual([state.mode, state.removed, state.added, state.watermark], ['incremental', 1, 1, later]);
    assert.equal(server.requests.at(-1)?.since, '2026-01-01T00:00:00.000Z');
    assert.equal((await live()).length, 10);
  });

  test('between daily full runs, only changes are requested', async () => {
    const server = await serve(records(10));
    const { run, clock } = await bench(await open(), server, { incremental: true });
    const modes = [(await run()).mode, (await run()).mode];
    clock.ms += 23 * HOUR;
    modes.push((await run()).mode, (await run()).mode);
    assert.deepEqual(modes, ['full', 'incremental', 'full', 'incremental']);
  });

  test('a 304 counts as a successful run and keeps all listings', async () => {
    const server = await serve(records(5));
    server.conditional = true;
    const { run, live } = await bench(await open(), server);
    await run();
    const state = await run();
    assert.deepEqual([state.status, state.removed, state.seen], ['succeeded', 0, 5]);
    assert.ok(server.requests.at(-1)?.headers['if-none-match']);
    server.records = records(4);
    await run();
    assert.equal((await live()).length, 5);
    assert.equal((await run()).removed, 1);
    assert.equal((await run()).removed, 0);
    assert.equal((await live()).length, 4);
  });

  test('a former id is saved as an alias', async () => {
    const server = await serve([record('new/name', { aliases: ['@old/name'] })]);
    const { run, database } = await bench(await open(), server);
    await run();
    assert.deepEqual(await database.db.selectFrom('listing_aliases').selectAll().execute(), [
      { provider_id: 'glama', alias: '@old/name', external_id: 'new/name' },
    ]);
  });

  test('tombstones are purged after thirty days, which limits how far back deltas reach', async () => {
    const server = await serve(records(10));
    const { run, rows, clock, engine, database } = await bench(await open(), server);
    for (const count of [10, 8, 8]) {
      server.records = records(count);
      await run();
    }
    const purge = () =>
      engine.kinds[PURGE_JOB]?.handler({
        job: {} as never,
        signal: new AbortController().signal,
        fence: async () => {},
      });
    const seq = Math.max(...(await rows()).map((row) => row.seq));
    clock.ms += 29 * 24 * HOUR;
    await purge();
    assert.deepEqual([(await rows()).length, (await readSeq(database.db)).purged], [10, 0]);
    clock.ms += 2 * 24 * HOUR;
    await purge();
    assert.deepEqual([(await rows()).length, (await readSeq(database.db)).purged], [8, seq]);
  });
});

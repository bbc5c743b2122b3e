import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { verifyBundle } from '#runtime/receipts/bundle.ts';
import { macOf, type Receipts } from '#runtime/receipts/receipts.ts';
import { eachDatabase } from '#test/databases.ts';
import { storageOf } from '#test/storage.ts';
import { tasksStand } from '#test/tasks-stand.ts';

async function statementOf(receipts: Receipts, id: string | null) {
  const verified = verifyBundle(await receipts.bundle(id ?? ''));
  assert.ok(verified.consistent, JSON.stringify(verified));
  return verified.statement;
}

const FINAL = ['completed', 'failed', 'cancelled', 'rejected'];

eachDatabase('starting a task', (open) => {
  test('202: runs to completion, with a trace and a receipt that matches the input', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database });
    const as = await stand.newUser();
    const task = await stand.until(as, await stand.start(as, 'echo', { text: 'hi' }), FINAL);
    assert.deepEqual(
      [task.status, task.status_reason, task.output, task.attempt],
      ['completed', null, { text: 'hi' }, 1],
    );
    assert.match(task.trace_id ?? '', /^[0-9a-f]{32}$/);
    const receipt = await db
      .selectFrom('receipts')
      .select(['id', 'envelope'])
      .where('run_id', '=', task.id)
      .executeTakeFirstOrThrow();
    assert.equal(receipt.id, task.receipt_id);
    const statement = JSON.parse(Buffer.from(JSON.parse(receipt.envelope).payload, 'base64').toString());
    const mac = createHmac('sha256', Buffer.from(task.receipt_key ?? '', 'base64'))
      .update('{"text":"hi"}')
      .digest('hex');
    assert.equal(statement.predicate.input.hmac_sha256, mac);
    assert.equal(statement.predicate.trace.trace_id, task.trace_id);
  });

  test('409: already started or ended; concurrent requests start a task once', async () => {
    await using stand = await tasksStand(await open());
    const as = await stand.newUser();
    const body = { capability: { kind: 'skill', ref: 'echo' }, input: { text: '' } };
    const { id } = (await stand.ask(as, 'POST', '/api/agents/tasks', body)).body;
    const start = () => stand.ask(as, 'POST', `/api/agents/tasks/${id}/start`);
    const raced = await Promise.all([start(), start(), start(), start()]);
    assert.deepEqual(raced.map((answer) => answer.status).sort(), [202, 409, 409, 409]);
    assert.equal((await stand.until(as, id, FINAL)).attempt, 1);
    const again = await start();
    assert.deepEqual([again.status, again.body.code, again.body.task_status], [409, 'tasks.conflict', 'completed']);
  });

  test('a task that cannot run is rejected with the reason, and its receipt says so', async () => {
    const database = await open();
    await using stand = await tasksStand(database);
    const as = await stand.newUser();
    const refused = await stand.until(as, await stand.start(as, 'refused'), FINAL);
    assert.deepEqual(
      [refused.status, refused.status_reason, refused.error],
      ['rejected', 'auth_needed', { code: 'auth_needed', detail: 'It needs a sign-in.' }],
    );
    const { predicateType, predicate, subject } = await statementOf(stand.receipts, refused.receipt_id);
    assert.equal(predicateType, 'urn:capstan:predicate:refusal:v0.1');
    assert.deepEqual(
      [predicate.run_id, predicate.status, predicate.reason, predicate.attempt],
      [refused.id, 'refused', 'auth_needed', 1],
    );
    assert.match(subject[0]?.name ?? '', /^skill\/refused@/);
    assert.equal(predicate.input.hmac_sha256, macOf(Buffer.from(refused.receipt_key ?? '', 'base64'), refused.input));
    const { length } = await database.db.selectFrom('receipts').select('id').where('user_id', '=', as.id).execute();
    assert.equal(length, 1);
  });

  test('rejected: the capability changed since the task was created', async () => {
    await using stand = await tasksStand(await open(), { idle: true });
    const as = await stand.newUser();
    const id = await stand.start(as, 'model');
    stand.changeCapabilities();
    await stand.restartWorker();
    const task = await stand.until(as, id, FINAL);
    assert.deepEqual([task.status, task.status_reason], ['rejected', 'capability_changed']);
    assert.equal((await statementOf(stand.receipts, task.receipt_id)).predicate.reason, 'capability_changed');
  });

  test('429: more starts in 24 hours than the limit; the task stays submitted', async () => {
    await using stand = await tasksStand(await open(), { starts_per_day: 2, idle: true });
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    await stand.start(as, 'slow');
    await stand.start(as, 'slow');
    const { id } = (await stand.ask(as, 'POST', '/api/agents/tasks', { capability: { kind: 'skill', ref: 'slow' } }))
      .body;
    const over = await stand.ask(as, 'POST', `/api/agents/tasks/${id}/start`);
    assert.deepEqual([over.status, over.body.code], [429, 'tasks.limit_exceeded']);
    assert.ok(Number(over.headers.get('retry-after')) > 0);
    assert.equal((await stand.ask(as, 'GET', `/api/agents/tasks/${id}`)).body.status, 'submitted');
    await stand.start(other, 'slow');
  });

  test('429: the account’s storage is full for create, update and start; deleting a task makes room', async () => {
    await using stand = await tasksStand(await open(), { storage: storageOf(100_000), idle: true });
    const as = await stand.newUser();
    const order = (bytes: number) => ({
      capability: { kind: 'skill', ref: 'echo' },
      input: { text: 'x'.repeat(bytes) },
    });
    const make = (bytes: number) => stand.ask(as, 'POST', '/api/agents/tasks', order(bytes));
    const [small, large] = [(await make(10)).body.id, (await make(60_000)).body.id];
    const refused = await make(20_000);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.reason],
      [429, 'users.quota_exceeded', 'storage_full'],
    );
    const grown = await stand.ask(as, 'PUT', `/api/agents/tasks/${small}`, { input: { text: 'x'.repeat(20_000) } });
    assert.deepEqual([grown.status, grown.body.code, grown.body.reason], [429, 'users.quota_exceeded', 'storage_full']);
    assert.equal((await make(9_000)).status, 201);
    assert.equal((await make(2_000)).status, 201);
    const full = await stand.ask(as, 'POST', `/api/agents/tasks/${small}/start`);
    assert.deepEqual(
      [full.status, full.body.code, full.body.reason],
      [429, 'users.quota_exceeded', 'storage_full'],
      'its output would find no room',
    );
    assert.equal((await stand.ask(as, 'DELETE', `/api/agents/tasks/${large}`)).status, 200);
    assert.equal((await make(20_000)).status, 201);
  });

  test('429: more waiting tasks than the limit; 409 and 404 take precedence', async () => {
    await using stand = await tasksStand(await open(), { queue_per_user: 2, idle: true });
    const as = await stand.newUser();
    await stand.start(as, 'slow');
    await stand.start(as, 'slow');
    const { id } = (await stand.ask(as, 'POST', '/api/agents/tasks', { capability: { kind: 'skill', ref: 'slow' } }))
      .body;
    const full = await stand.ask(as, 'POST', `/api/agents/tasks/${id}/start`);
    assert.deepEqual(
      [full.status, full.body.code, full.headers.get('retry-after')],
      [429, 'tasks.queue_limit_exceeded', '5'],
    );
    assert.equal((await stand.ask(as, 'GET', `/api/agents/tasks/${id}`)).body.status, 'submitted');
    await stand.ask(as, 'PUT', `/api/agents/tasks/${id}`, { status: 'cancelled' });
    // Permanent errors are reported before temporary ones.
    const never = [await stand.ask(as, 'POST', `/api/agents/tasks/${id}/start`)];
    never.push(await stand.ask(as, 'POST', '/api/agents/tasks/none/start'));
    assert.deepEqual(
      never.map((answer) => answer.status),
      [409, 404],
    );
  });

  test('limits a user’s running tasks without delaying other users', async () => {
    await using stand = await tasksStand(await open(), { at_work_per_user: 2 });
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const ids = [
      await stand.start(as, 'slow'),
      await stand.start(as, 'slow'),
      await stand.start(as, 'echo', { text: '' }),
    ];
    await stand.until(other, await stand.start(other, 'echo', { text: '' }), ['completed']);
    const reasons = await Promise.all(
      ids.map(async (id) => (await stand.ask(as, 'GET', `/api/agents/tasks/${id}`)).body.status_reason),
    );
    assert.deepEqual(reasons, ['running', 'running', 'queued']);
    await stand.ask(as, 'PUT', `/api/agents/tasks/${ids[0]}`, { status: 'cancelled' });
    await stand.until(as, ids[2] as string, ['completed']);
  });

  test('a run with several model requests uses one unit of the daily quota', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database });
    const as = await stand.newUser();
    await stand.until(as, await stand.start(as, 'model'), ['completed']);
    const { used } = await db
      .selectFrom('quota_days')
      .select('used')
      .where('user_id', '=', as.id)
      .executeTakeFirstOrThrow();
    assert.equal(used, 1);
    await db.updateTable('quota_days').set({ used: 100 }).where('user_id', '=', as.id).execute();
    const over = await stand.until(as, await stand.start(as, 'model'), FINAL);
    assert.deepEqual([over.status, over.status_reason], ['rejected', 'quota_exceeded']);
  });
});

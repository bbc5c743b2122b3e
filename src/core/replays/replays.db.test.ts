import assert from 'node:assert/strict';
import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { isoTime } from '#core/clock/clock.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import { openDatabase } from '#core/db/open.ts';
import type { ReplayRequest } from '#core/http/gates.ts';
import { json, type Reply } from '#core/http/operation.ts';
import { newId } from '#core/ids.ts';
import { createLog } from '#core/log.ts';
import { Problem, type ProblemKind } from '#core/problem/problem.ts';
import { readStorage } from '#core/storage/usage.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { until } from '#test/until.ts';
import { createReplays, type ReplaysOptions } from './replays.ts';

const T = Date.parse('2026-11-20T12:00:00.000Z');
const DAY = 86_400_000;
const keys = keyProvider([createSecretKey(randomBytes(32))]);

/** Requests of a user with a clock that the test controls, and a count of executions. */
async function stand(database: TestDatabase, lease_ms = 60_000, more: Partial<ReplaysOptions> = {}) {
  const clock = { ms: T, now: () => clock.ms };
  const options = { clock, keys, lease_ms, log: createLog('silent') };
  const owner = (await createUser(database.db)).id;
  const runs = { count: 0 };
  const make = async (): Promise<Reply> =>
    json({ secret: `cap_${++runs.count}` }, { status: 201, headers: { location: '/x' } });
  const replays = createReplays({ ...options, database, ...more });
  const ask = (of: Partial<ReplayRequest> = {}, run = make) =>
    replays.once({ key: 'k1', owner, operation: 'x.createThing', content: '/x?\n{"a":1}', ...of }, run);
  return { clock, runs, ask, options, owner };
}

async function createUser(db: TestDatabase['db']) {
  const user = { id: newId(), display_name: 'x', tier: 'free', is_operator: 0, created_at: '', updated_at: '' };
  await db.insertInto('users').values(user).execute();
  return user;
}

async function textOf({ body }: Reply): Promise<string> {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  let text = '';
  for await (const chunk of body) text += Buffer.from(chunk as string).toString();
  return text;
}

const fails = (kind: ProblemKind) => async (): Promise<Reply> => {
  throw new Problem(kind, 'x.code', 'why', { errors: [{ pointer: '/a', detail: 'b' }], extensions: { more: 1 } });
};

eachDatabase('Idempotency-Key', (open) => {
  let opened: Promise<TestDatabase> | undefined;
  /** Each fixture has its own user in it. */
  const shared = (): Promise<TestDatabase> => (opened ??= open('own'));

  test('a repeated request gets the stored response for a day and runs once', async () => {
    const { ask, runs, clock } = await stand(await shared());
    const first = await ask();
    clock.ms += DAY - 1;
    for (const key of ['k1', '"k1"']) {
      const again = await ask({ key });
      assert.deepEqual([again.status, again.media_type], [201, first.media_type]);
      assert.equal(await textOf(again), await textOf(first));
      assert.deepEqual(again.headers, { location: '/x', 'idempotent-replayed': 'true' });
    }
    assert.equal(runs.count, 1);
    clock.ms += 1;
    assert.equal(await textOf(await ask()), '{"secret":"cap_2"}');
  });

  test('the same key of another operation or user is another request', async () => {
    const database = await shared();
    const { ask, runs } = await stand(database);
    const bob = await createUser(database.db);
    await ask();
    await ask({ key: 'k2' });
    await ask({ operation: 'x.createOther' });
    await ask({ owner: bob.id });
    assert.equal(runs.count, 4);
  });

  test('422: the key was used with other content', async () => {
    const { ask, runs } = await stand(await shared());
    await ask();
    await assert.rejects(ask({ content: '/x?\n{"a":2}' }), { code: 'http.idempotency_key_reused', status: 422 });
    assert.equal(runs.count, 1);
  });

  test('400: the key is invalid', async () => {
    const { ask, runs } = await stand(await shared());
    for (const key of ['', '""', 'a b', 'ä', 'a\u0000', 'k'.repeat(256), 'k1, k2'])
      await assert.rejects(ask({ key }), { code: 'http.invalid', reason: 'idempotency_key', status: 400 }, key);
    await ask({ key: 'k'.repeat(255) });
    assert.equal(runs.count, 1);
  });

  test('409: the first request is still running', async () => {
    const database = await open();
    const { ask, clock, runs } = await stand(database, 60);
    const leaseEnd = async () => (await database.db.selectFrom('idempotency_keys').select('lease_until').execute())[0];
    const renewed = () =>
      until('a renewed lease', async () => (await leaseEnd())?.lease_until === isoTime(clock.ms + 60));
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    const first = ask({}, () => gate.then(() => json({ n: ++runs.count })));
    await until('a lease', leaseEnd);
    await assert.rejects(ask(), { code: 'http.idempotency_conflict', headers: { 'retry-after': '1' } });
    await assert.rejects(ask({ content: 'other' }), { code: 'http.idempotency_key_reused' });
    clock.ms += 50;
    await renewed();
    clock.ms += 50;
    await assert.rejects(ask(), { code: 'http.idempotency_conflict', reason: 'in_flight' });
    resolve();
    assert.equal(await textOf(await first), '{"n":1}');
    assert.equal(await textOf(await ask()), '{"n":1}');
  });

  test('after a crash, the same request can use the key once its lease has expired', async () => {
    const database = await open('own');
    const { ask, clock, options, runs, owner } = await stand(database);
    // A process that died: its connection is closed before the response is stored.
    const other = await openDatabase(database.config);
    const dead = createReplays({ ...options, database: other });
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const lost = dead.once({ key: 'k1', owner, operation: 'x.createThing', content: 'c' }, () => promise);
    const keys = () => database.db.selectFrom('idempotency_keys').select('key').execute();
    await until('the key', async () => (await keys()).length > 0);
    await other.close();
    clock.ms += 59_999;
    await assert.rejects(ask({ content: 'c' }), { code: 'http.idempotency_conflict', reason: 'in_flight' });
    clock.ms += 1;
    await assert.rejects(ask({ content: 'd' }), { code: 'http.idempotency_key_reused' });
    assert.equal(await textOf(await ask({ content: 'c' })), '{"secret":"cap_1"}');
    resolve(json('late'));
    await lost;
    assert.equal(await textOf(await ask({ content: 'c' })), '{"secret":"cap_1"}');
    assert.equal(runs.count, 1);
  });

  test('a request whose lease was taken over does not overwrite the later response', async () => {
    const { ask, clock } = await stand(await shared());
    const [slow, next] = [Promise.withResolvers<Reply>(), Promise.withResolvers<Reply>()];
    const started = Promise.withResolvers<void>();
    const first = ask({}, () => {
      started.resolve();
      return slow.promise;
    });
    await started.promise;
    clock.ms += 60_000;
    const taken = Promise.withResolvers<void>();
    const second = ask({}, () => {
      taken.resolve();
      return next.promise;
    });
    await taken.promise;
    slow.resolve(json('slow'));
    assert.equal(await textOf(await first), '"slow"');
    await assert.rejects(ask(), { code: 'http.idempotency_conflict', reason: 'in_flight' });
    next.resolve(json('next'));
    await second;
    assert.equal(await textOf(await ask()), '"next"');
  });

  test('permanent problems are replayed', async () => {
    const { ask, runs } = await stand(await shared());
    for (const kind of ['invalid_request', 'gone', 'too_large', 'unprocessable'] as const) {
      await assert.rejects(ask({ key: kind }, fails(kind)), { code: 'x.code', headers: {} });
      await assert.rejects(ask({ key: kind }), {
        kind,
        code: 'x.code',
        message: 'why',
        extensions: { more: 1 },
        errors: [{ pointer: '/a', detail: 'b' }],
        headers: { 'idempotent-replayed': 'true' },
      });
    }
    assert.equal(runs.count, 0);
  });

  test('temporary problems release the key', async () => {
    const { ask } = await stand(await shared());
    for (const kind of ['conflict', 'not_found', 'quota_exceeded', 'unavailable', 'upstream_failed'] as const) {
      await assert.rejects(ask({ key: kind }, fails(kind)), { code: 'x.code' });
      await assert.rejects(ask({ key: kind, content: 'other' }, fails(kind)), { code: 'x.code' });
      assert.equal((await ask({ key: kind })).status, 201);
    }
  });

  test('an unexpected error releases the key', async () => {
    const { ask } = await stand(await shared());
    await assert.rejects(
      ask({}, async () => {
        throw new TypeError('a bug');
      }),
      TypeError,
    );
    assert.equal((await ask()).status, 201);
  });

  test('stored responses are encrypted and decrypt only in their own row', async () => {
    const database = await open();
    const { ask } = await stand(database);
    await ask();
    await ask({ key: 'k2' });
    const rows = await database.db.selectFrom('idempotency_keys').selectAll().orderBy('key').execute();
    assert.doesNotMatch(JSON.stringify(rows), /cap_/);
    const moved = { sealed_answer: rows[1]?.sealed_answer ?? null };
    await database.db.updateTable('idempotency_keys').set(moved).where('key', '=', 'k1').execute();
    await assert.rejects(ask(), { code: 'crypto.corrupt' });
  });

  test('bytes and streams are stored completely, and a stream that fails releases the key', async () => {
    const { ask, runs } = await stand(await shared());
    const bytes = Uint8Array.of(0, 255, 128);
    await ask({}, async () => ({ media_type: 'application/octet-stream', body: bytes }));
    assert.deepEqual(Buffer.from((await ask()).body as Uint8Array), Buffer.from(bytes));
    const stream = (breaks: boolean) => async (): Promise<Reply> => ({
      media_type: 'text/event-stream',
      body: (async function* () {
        yield 'data: é1\n\n';
        if (breaks) throw new Error('broken');
        yield 'data: 2\n\n';
      })(),
    });
    await assert.rejects(textOf(await ask({ key: 's' }, stream(true))), { message: 'broken' });
    assert.equal(await textOf(await ask({ key: 's' }, stream(false))), 'data: é1\n\ndata: 2\n\n');
    assert.equal(await textOf(await ask({ key: 's' })), 'data: é1\n\ndata: 2\n\n');
    assert.equal(runs.count, 0);
  });

  test('409: repeating a request whose response was too large to store runs nothing', async () => {
    const database = await open();
    const { ask, runs } = await stand(database);
    const body = 'x'.repeat(70_000);
    const large = async (): Promise<Reply> => json(body, { status: 201, headers: { location: '/things/1' } });
    assert.equal((await textOf(await ask({}, large))).length, 70_002);
    const sha256 = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    await assert.rejects(ask(), {
      code: 'http.idempotency_conflict',
      status: 409,
      headers: { location: '/things/1' },
      extensions: { reason: 'answer_not_kept', first_status: 201, location: '/things/1', sha256 },
    });
    const stream = async (): Promise<Reply> => ({
      media_type: 'text/plain',
      body: (async function* () {
        for (let n = 0; n < 7; n++) yield body.slice(0, 10_000);
      })(),
    });
    assert.equal((await textOf(await ask({ key: 's' }, stream))).length, 70_000);
    await assert.rejects(ask({ key: 's' }), {
      extensions: {
        reason: 'answer_not_kept',
        first_status: 200,
        location: null,
        sha256: createHash('sha256').update(body).digest('hex'),
      },
    });
    assert.equal(runs.count, 0);
    const rows = await database.db.selectFrom('idempotency_keys').select('sealed_answer').execute();
    assert.ok(rows.every(({ sealed_answer }) => (sealed_answer?.length ?? 0) < 1_000));
  });

  test("429: keys beyond the owner's storage share; stored responses are still replayed", async () => {
    const database = await open();
    const LIMIT = 100_000;
    let dropped = 0;
    const used = async (owner: string) => (await readStorage(database.db, owner)).idempotency;
    const { ask, owner } = await stand(database, undefined, {
      share: async (of) => ({ used_bytes: await used(of), limit_bytes: LIMIT }),
      onDropped: () => void dropped++,
    });
    const make = async (): Promise<Reply> => json('x'.repeat(6_000), { status: 201, headers: { location: '/x' } });
    let keys = 0;
    const more = () => ask({ key: `k${keys++}` }, make);
    while ((await used(owner)) < LIMIT) await more();
    assert.ok(dropped > 10, 'answers are dropped first');
    assert.ok((await used(owner)) < LIMIT * 1.05);
    await assert.rejects(more, { code: 'http.limit_exceeded', reason: 'idempotency_keys', status: 429 });
    assert.equal((await ask({ key: 'k0' })).status, 201, 'the first answer was kept');
    await assert.rejects(ask({ key: `k${keys - 2}` }), {
      code: 'http.idempotency_conflict',
      reason: 'answer_not_kept',
    });
    await database.db.deleteFrom('idempotency_keys').where('key', '!=', 'k0').execute();
    assert.equal((await more()).status, 201);
  });

  test('50 concurrent identical requests over three connections run once', async () => {
    const database = await shared();
    const { options, runs, owner } = await stand(database);
    const others = await Promise.all([openDatabase(database.config), openDatabase(database.config)]);
    const doors = [database, ...others].map((other) => createReplays({ ...options, database: other }));
    const request = { key: 'k1', owner, operation: 'x.createThing', content: 'c' };
    const run = async () => {
      await turn();
      return json({ n: ++runs.count });
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => doors[n % doors.length]?.once(request, run)),
    );
    const texts = await Promise.all(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' && outcome.value ? textOf(outcome.value) : null)),
    );
    const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Problem).code : null));
    await Promise.all(others.map((other) => other.close()));
    assert.equal(runs.count, 1);
    assert.deepEqual(new Set(texts.filter((text) => text !== null)), new Set(['{"n":1}']));
    assert.deepEqual(
      codes.filter((code) => code !== null && code !== 'http.idempotency_conflict'),
      [],
    );
  });

  test('keys are deleted after a day and with their account', async () => {
    const database = await open();
    const { ask, clock } = await stand(database);
    const count = async () => (await database.db.selectFrom('idempotency_keys').select('key').execute()).length;
    for (let n = 0; n < 31; n++) await ask({ key: `k${n}` });
    clock.ms += DAY;
    await ask({ key: 'new' });
    assert.equal(await count(), 1);
    await database.db.deleteFrom('users').execute();
    assert.equal(await count(), 0);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { CapstanError, createCapstan, type Fetch, type TaskEvent } from '../src/index.ts';
import { waitOf } from '../src/send.ts';
import { answer, events, flakyService, hangUp, problem, type Step } from './flaky-service.ts';

/** Tries, time and broken streams, against a real server that fails. */

const EMPTY = { items: [], total_count: 0, limit: 50, offset: 0 };
const TASK = { body: { capability: { kind: 'skill', ref: 'x' }, input: null } } as const;
const CALL = { id: 'c', body: { tool: 't' } };

async function failureOf(call: Promise<unknown>): Promise<CapstanError> {
  const error = await call.then(
    () => assert.fail('it was answered'),
    (error) => error,
  );
  assert.ok(error instanceof CapstanError, `${error}`);
  return error;
}

for (const [what, step] of Object.entries<Step>({
  '503': problem(503, 'x.away', { 'retry-after': '0' }),
  '429': problem(429, 'http.limit_exceeded', { 'retry-after': '0' }),
  'a connection that breaks': hangUp,
}))
  test(`a read is retried after ${what}`, async () => {
    await using service = await flakyService(step, step, answer(200, EMPTY));
    assert.deepEqual(await createCapstan({ base_url: service.url }).items.list(), EMPTY);
    assert.equal(service.requests.length, 3);
  });

test('a create is retried with the same idempotency key', async () => {
  await using service = await flakyService(
    hangUp,
    problem(409, 'http.idempotency_conflict', { 'retry-after': '0' }, 'in_flight'),
    answer(201, { id: 't' }),
  );
  const capstan = createCapstan({ base_url: service.url, token: 'x' });
  assert.equal((await capstan.tasks.create(TASK)).id, 't');
  const keys = new Set(service.requests.map(({ headers }) => headers['idempotency-key']));
  assert.equal(keys.size, 1);
  assert.match(`${[...keys][0]}`, /^[0-9a-f]{32}$/);
  await capstan.tasks.create(TASK);
  await capstan.tasks.create(TASK, { idempotency_key: 'mine' });
  const [, , , madeUp, given] = service.requests.map(({ headers }) => headers['idempotency-key']);
  assert.ok(!keys.has(madeUp as string));
  assert.equal(given, 'mine');
});

test('a tool call is retried after a 429, but not after a lost connection, a 503 or a 504', async () => {
  for (const step of [hangUp, problem(503, 'x.away'), problem(504, 'x.late')]) {
    await using service = await flakyService(step, answer(200, {}));
    await failureOf(createCapstan({ base_url: service.url, token: 'x' }).tools.call(CALL));
    assert.equal(service.requests.length, 1);
  }
  await using service = await flakyService(
    problem(429, 'http.limit_exceeded', { 'retry-after': '0' }),
    answer(200, {}),
  );
  await createCapstan({ base_url: service.url, token: 'x' }).tools.call(CALL);
  assert.equal(service.requests.length, 2);
});

test('a request with a wallet signature is not retried', async () => {
  const challenge = answer(200, { challenge_id: 'c', message: 'm', expires_at: 'x' });
  await using service = await flakyService(challenge, problem(503, 'x.away'), answer(200, {}));
  const signer = { address: 'a', wallet_type: 'ethereum' as const, sign: (text: string) => `signed ${text}` };
  await failureOf(createCapstan({ base_url: service.url, token: 'x', signer }).users.get({ id: 'u' }));
  assert.equal(service.requests.length, 2);
  assert.equal(service.requests[1]?.headers['x-wallet-signature'], 'signed m');
  assert.equal(service.requests[1]?.headers['x-challenge-id'], 'c');
});

test('other errors are not retried, and `retries` limits the number of attempts', async () => {
  for (const [status, code] of [
    [404, 'x.none'],
    [500, 'http.internal'],
    [429, 'auth.quota_exceeded'],
  ] as const) {
    const title = status === 429 ? 'Quota exceeded' : 'T';
    await using service = await flakyService(answer(status, { title, code, detail: 'No.' }), answer(200, EMPTY));
    const error = await failureOf(createCapstan({ base_url: service.url }).items.list());
    assert.deepEqual([service.requests.length, error.code, error.status], [1, code, status]);
    if (status === 429) assert.equal(error.kind, 'quota_exceeded');
  }
  await using service = await flakyService(problem(503, 'x.away', { 'retry-after': '0' }));
  await failureOf(createCapstan({ base_url: service.url }).items.list({}, { retries: 1 }));
  assert.equal(service.requests.length, 2);
});

test('throws without retrying if Retry-After is longer than the client waits', async () => {
  await using service = await flakyService(problem(503, 'x.away', { 'retry-after': '120' }));
  const error = await failureOf(createCapstan({ base_url: service.url }).items.list());
  assert.deepEqual([service.requests.length, error.retry_after_ms, error.kind], [1, 120_000, 'unavailable']);
});

test('backoff doubles up to eight seconds with jitter, and is never shorter than Retry-After', () => {
  const away = (retry_after_ms: number | null) =>
    new CapstanError({ kind: 'unavailable', code: 'x.y', detail: '', status: 503, retry_after_ms });
  for (let attempt = 0; attempt < 12; attempt++) {
    const longest = Math.min(250 * 2 ** attempt, 8_000);
    const waits = Array.from({ length: 50 }, () => waitOf(away(null), attempt, true) as number);
    assert.ok(
      waits.every((wait) => wait >= longest / 2 && wait <= longest),
      `${attempt}`,
    );
    assert.ok(new Set(waits).size > 1);
  }
  assert.ok((waitOf(away(3_000), 0, true) as number) >= 3_000);
});

test("timeout_ms limits the whole call, and an abort rejects it with the caller's reason", async () => {
  await using service = await flakyService(() => {});
  const capstan = createCapstan({ base_url: service.url, timeout_ms: 400 });
  const error = await failureOf(capstan.items.list());
  assert.deepEqual([error.kind, error.code, service.requests.length], ['timeout', 'sdk.timeout', 1]);
  const reason = new Error('enough');
  const late = AbortSignal.timeout(60_000);
  await assert.rejects(capstan.items.list({}, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, late]);
  const ended = assert.rejects(capstan.items.list({}, { signal, timeout_ms: 60_000 }), (error) => error === reason);
  await until('the request', () => service.requests.length === 2);
  controller.abort(reason);
  await ended;
});

test('explains that base_url is not a Capstan service if the response is HTML, and reports a refused connection', async () => {
  const page: Step = (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi');
  await using service = await flakyService(page, (_request, response) => response.writeHead(502).end('<h1>Bad'));
  const capstan = createCapstan({ base_url: service.url, retries: 0 });
  const error = await failureOf(capstan.items.list());
  assert.deepEqual([error.kind, error.code], ['unexpected_answer', 'sdk.unexpected_answer']);
  assert.match(error.detail, /answers text\/html .* Is `base_url` a Capstan service\?/);
  const proxy = await failureOf(capstan.items.list());
  assert.deepEqual([proxy.kind, proxy.code, proxy.body], ['upstream_failed', 'http.502', '<h1>Bad']);
  const nobody = await failureOf(createCapstan({ base_url: 'http://127.0.0.1:1', retries: 0 }).items.list());
  assert.deepEqual([nobody.kind, nobody.status], ['network', 0]);
});

const said = (id: number, status: string): string =>
  `id: ${id}\nevent: status\ndata: {"at":"2026-11-20T12:00:00.000Z","status":"${status}","status_reason":null,"attempt":1}\n\n`;

test('tasks.watch() resumes after a lost or ended connection and yields each event once', async () => {
  await using service = await flakyService(
    events(`retry: 1\n\n${said(1, 'working')}id: 2\nevent: status\nda`, 'break'),
    events('retry: 1\n\n'),
    answer(200, { id: 't', status: 'working' }),
    events(`retry: 1\n\n${said(2, 'input_required')}`),
    events(`retry: 1\n\n${said(3, 'completed')}${said(4, 'working')}`),
  );
  const seen: TaskEvent[] = [];
  for await (const taskEvent of createCapstan({ base_url: service.url, token: 'x' }).tasks.watch({ id: 't' }))
    seen.push(taskEvent);
  assert.deepEqual(
    seen.map((taskEvent) => taskEvent.id),
    ['1', '2', '3'],
  );
  const asked = service.requests
    .filter((request) => request.path.endsWith('/events'))
    .map((request) => request.headers['last-event-id']);
  assert.deepEqual(asked, [undefined, '1', '1', '2']);
});

test('tasks.watch() closes its connection when the loop breaks or the signal aborts, and has no timeout', async () => {
  let closed = 0;
  await using service = await flakyService((request, response) => {
    request.socket.once('close', () => closed++);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(said(1, 'working'));
  });
  const capstan = createCapstan({ base_url: service.url, token: 'x', timeout_ms: 500 });
  for await (const _ of capstan.tasks.watch({ id: 't' })) break;
  const reason = new Error('enough');
  const controller = new AbortController();
  await using silent = await flakyService(() => {});
  const other = createCapstan({ base_url: silent.url, timeout_ms: 500 });
  const watching = async () => {
    for await (const _ of capstan.tasks.watch({ id: 't' }, { signal: controller.signal })) {
      // This call begins later and has the same timeout: when it ends, that of the stream would have passed as well.
      assert.equal((await failureOf(other.items.list())).code, 'sdk.timeout');
      setImmediate(() => controller.abort(reason));
    }
  };
  await assert.rejects(watching(), (error) => error === reason);
  await until('an end of both connections', () => closed === 2);
});

test('a chat stream that breaks throws a network error after the events received so far', async () => {
  await using service = await flakyService(events('event: text\ndata: {"step":1,"text":"a"}\n\ndata: {', 'break'));
  const capstan = createCapstan({ base_url: service.url, token: 'x' });
  const told: string[] = [];
  const reading = async () => {
    for await (const { event } of capstan.agent.chat({ body: { message: 'x' } }, { accept: 'text/event-stream' }))
      told.push(event);
  };
  const error = await failureOf(reading());
  assert.deepEqual([told, error.kind, service.requests.length], [['text'], 'network', 1]);
});

test('with redirect: manual, follows a redirect to the same service but not to another host', async () => {
  const moved = (location: string) => answer(308, { location }, { location });
  await using service = await flakyService(moved('/api/marketplace/registry?limit=1'), answer(200, EMPTY));
  const manual: Fetch = (url, init) => fetch(url, { ...init, redirect: 'manual' });
  assert.deepEqual(await createCapstan({ base_url: service.url, fetch: manual }).items.list(), EMPTY);
  assert.equal(service.requests[1]?.path, '/api/marketplace/registry?limit=1');
  for (const out of ['http://127.0.0.1:1/', '//127.0.0.1:1/', '/\\127.0.0.1:1/']) {
    await using other = await flakyService(moved(out), answer(200, EMPTY));
    const error = await failureOf(createCapstan({ base_url: other.url, fetch: manual }).items.list());
    assert.deepEqual([error.status, other.requests.length], [308, 1]);
  }
});

test('on_drift is called once for a newer service, and a call fails if it throws', async () => {
  const version = answer(200, { version: '99.0.0', title: 'Capstan' });
  await using service = await flakyService(version, answer(200, EMPTY));
  const told: string[] = [];
  const capstan = createCapstan({ base_url: service.url, on_drift: ({ level }) => told.push(level) });
  await Promise.all([capstan.items.list(), capstan.items.list()]);
  assert.deepEqual(told, ['major']);
  await using other = await flakyService(version, answer(200, EMPTY));
  const strict = createCapstan({
    base_url: other.url,
    on_drift: ({ advice }) => {
      throw new Error(advice);
    },
  });
  await assert.rejects(strict.items.list(), /install a newer @capstan\/sdk/);
  await assert.rejects(strict.items.list(), /install a newer @capstan\/sdk/);
  assert.equal(other.requests.length, 1);
});

test('a redirect to another host sends no token, body or signature there', async () => {
  await using other = await flakyService(answer(200, EMPTY), answer(200, EMPTY), answer(200, EMPTY));
  const { port } = new URL(other.url);
  const away = problem(307, 'x.away', { location: `http://localhost:${port}/x` });
  await using service = await flakyService(away, away, away);
  const capstan = createCapstan({ base_url: service.url, token: 'secret', retries: 0 });
  assert.equal((await failureOf(capstan.tasks.create(TASK))).status, 307);
  assert.equal((await failureOf(capstan.signInWithEmail({ email: 'a@b.example', password: 'p' }))).status, 307);
  const signed = { headers: { 'x-wallet-signature': 's' } };
  assert.equal((await failureOf(capstan.tasks.list({}, signed))).status, 307);
  assert.equal(other.requests.length, 0);
});

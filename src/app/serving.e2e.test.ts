import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { readConfig } from '#core/config/config.ts';
import { refuseTakenPort } from '#core/http/taken-port.ts';
import { type Account, accountsOf } from '#test/accounts.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { exampleItem, saveItems } from '#test/example-items.ts';
import { call, rpc } from '#test/mcp-stand.ts';
import { type Asking, openServingStand } from '#test/serving-stand.ts';
import { until } from '#test/until.ts';
import { SETTINGS as SERVICE_SETTINGS } from './settings.ts';

/** Two threads on one port behave like one service. */

const LIMIT = 40;
const SETTINGS = {
  CAPSTAN_LIMIT_MCP: `${LIMIT}/1h`,
  CAPSTAN_LIMIT_WALLET: '4/1h',
  CAPSTAN_MCP_SESSIONS: '1',
  CAPSTAN_TRUSTED_PROXIES: '127.0.0.1',
  CAPSTAN_METRICS_TOKEN: 'the-scraper',
};

test('refuses an invalid CAPSTAN_THREADS at startup and names the setting', () => {
  for (const CAPSTAN_THREADS of ['0', '-1', 'abc', '1.5', '1000'])
    assert.throws(
      () => readConfig(SERVICE_SETTINGS, { CAPSTAN_THREADS }),
      /CAPSTAN_THREADS must be an integer from 1 to 64/,
    );
});

eachDatabase('two serving threads', (open, engine) => {
  let database: TestDatabase;
  let stand: Awaited<ReturnType<typeof openServingStand>>;
  let account: Account;
  let both: Asking[];
  const workers: Worker[] = [];
  before(async () => {
    database = await open('own');
    const note = (worker: Worker) => void workers.push(worker);
    process.on('worker', note);
    stand = await openServingStand(database.config, SETTINGS);
    process.off('worker', note);
    both = [stand.first, stand.further];
    const { data_dir, serving } = stand;
    account = await (await accountsOf({ ...serving, data_dir } as never)).signUp();
  });
  after(() => stand.close());

  test('a catalog change is in every response of both threads as soon as one of them has it', async () => {
    const { catalog } = stand.serving;
    const paths = ['/api/marketplace/registry?limit=5', '/api/marketplace/registry?search=tool', '/feeds/new.json'];
    const validators = new Set();
    for (const number of [1, 2, 3]) {
      await saveItems(database.db, [exampleItem(number)]);
      await catalog.refresh();
      for (const path of paths) {
        // Cached after the second request, and sent directly after the third.
        for (let time = 0; time < 4; time++)
          for (const { ask } of both) assert.match((await ask(path)).text, new RegExp(`tool-${number}\\b`), path);
      }
      const [one, other] = await Promise.all(both.map(({ ask }) => ask(paths[0] as string)));
      assert.equal(one?.headers.etag, other?.headers.etag);
      validators.add(one?.headers.etag);
    }
    assert.equal(validators.size, 3);
  });

  test('both threads pick up a change made by another process', async () => {
    await saveItems(database.db, [exampleItem(4)]);
    const isFound = async ({ ask }: Asking) => /tool-4\b/.test((await ask('/api/marketplace/registry?limit=20')).text);
    await until('what was changed', () => isFound(stand.further));
    assert.ok(await isFound(stand.first));
  });

  test('a session or API key ended through one thread is rejected by the other at the next request', async () => {
    const { access_token: token } = await account.signIn();
    const own = `/api/users/${account.user.id}`;
    const statusesOf = (headers: Record<string, string>) =>
      Promise.all(both.map(async ({ ask }) => (await ask('/api/agents/tasks', { headers })).status));
    const signedIn = { authorization: `Bearer ${token}` };
    assert.deepEqual(await statusesOf(signedIn), [200, 200]);
    const headers = { ...signedIn, ...(await account.stepUp()) };
    const body = { name: 'key', scopes: ['read'] };
    const made = await stand.first.ask(`${own}/api-keys`, { method: 'POST', headers, body });
    const { id, key } = JSON.parse(made.text);
    assert.deepEqual(await statusesOf({ authorization: `Bearer ${key}` }), [200, 200]);
    const revoke = `${own}/api-keys/${id}`;
    const revoking = { method: 'DELETE', headers: { ...signedIn, ...(await account.stepUp(`DELETE ${revoke}`)) } };
    assert.equal((await stand.further.ask(revoke, revoking)).status, 200);
    assert.deepEqual(await statusesOf({ authorization: `Bearer ${key}` }), [401, 401]);
    const ended = await stand.further.ask('/api/auth/logout', { method: 'POST', headers: signedIn });
    assert.equal(ended.status, 200);
    assert.deepEqual(await statusesOf(signedIn), [401, 401]);
  });

  const post = (from: string, body: unknown, headers = {}) => ({
    method: 'POST',
    body,
    headers: { accept: 'application/json, text/event-stream', 'x-forwarded-for': from, ...headers },
  });

  test('an MCP session continues in either thread', async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'test', version: '1' },
    };
    const { first, further } = stand;
    const begin = (asking: Asking) => asking.ask('/mcp/jsonrpc', post('192.0.2.2', rpc('initialize', params)));
    const id = `${(await begin(further)).headers['mcp-session-id']}`;
    assert.match(id, /^[0-9a-f-]{36}$/);
    for (const asking of both) assert.equal((await begin(asking)).headers['mcp-session-id'], undefined, 'one is all');
    const within = (body: unknown) => post('192.0.2.2', body, { 'mcp-session-id': id });
    for (const { ask } of both) assert.equal((await ask('/mcp/jsonrpc', within(rpc('ping')))).status, 200);
    const asked = (await first.open('/mcp/jsonrpc', within(call('hello')))).setEncoding('utf8')[Symbol.asyncIterator]();
    const question = JSON.parse(`${(await asked.next()).value}`.split('data: ')[1] as string);
    assert.equal(question.method, 'elicitation/create');
    const result = { action: 'accept', content: { name: 'Ada' } };
    const told = await further.ask('/mcp/jsonrpc', within({ jsonrpc: '2.0', id: question.id, result }));
    assert.equal(told.status, 202);
    assert.match(`${(await asked.next()).value}`, /Hello, Ada\./);
    await asked.next();
    const headers = { 'mcp-session-id': id, 'x-forwarded-for': '192.0.2.2' };
    assert.equal((await first.ask('/mcp/jsonrpc', { method: 'DELETE', headers })).status, 200);
    assert.equal((await further.ask('/mcp/jsonrpc', within(rpc('ping')))).status, 404);
  });

  const newTask = async (token: string): Promise<string> => {
    const input = { before: { port: 80 }, after: { port: 8080 } };
    const body = { capability: { kind: 'skill', ref: 'json-diff' }, input };
    const headers = { authorization: `Bearer ${token}` };
    const made = await stand.first.ask('/api/agents/tasks', { method: 'POST', headers, body });
    return `/api/agents/tasks/${JSON.parse(made.text).id}`;
  };

  test('a task started in one thread streams its events in the other, to the end', async () => {
    const headers = { authorization: `Bearer ${account.token}` };
    const path = await newTask(account.token);
    const watching = stand.first.ask(`${path}/events`, { headers });
    const started = await stand.further.ask(`${path}/start`, { method: 'POST', headers });
    assert.equal(started.status, 202, started.text);
    // No worker runs here, so the task ends directly in the database; the other thread is notified as of any change.
    const id = path.slice(path.lastIndexOf('/') + 1);
    await database.db.updateTable('tasks').set({ status: 'cancelled' }).where('id', '=', id).execute();
    const cancelled = { method: 'PUT', headers, body: { status: 'cancelled' } };
    assert.equal((await stand.further.ask(path, cancelled)).status, 200);
    const statuses = [...(await watching).text.matchAll(/"status":"(\w+)"/g)].map(([, match]) => match);
    assert.deepEqual(statuses, ['working']);
  });

  if (engine === 'sqlite') {
    // Independent of the engine.
    test('an in-memory rate limit is exact across both threads', async () => {
      const ping = ({ ask }: Asking) => ask('/mcp/jsonrpc', post('192.0.2.1', rpc('ping')));
      assert.equal((await ping(stand.first)).status, 200);
      const statuses: number[] = [];
      for (let n = 0; n < LIMIT + 2; n++) statuses.push((await ping(stand.further)).status);
      assert.deepEqual(statuses, [...Array(LIMIT - 1).fill(200), 429, 429, 429]);
      assert.equal((await ping(stand.first)).status, 429);
    });

    test('a rate limit in the database is exact across both threads', async () => {
      const { address: wallet_address, wallet_type } = account.wallet;
      const statuses: number[] = [];
      for (const { ask } of [...both, ...both, ...both]) {
        const asked = {
          method: 'POST',
          body: { wallet_address, wallet_type },
          headers: { 'x-forwarded-for': '192.0.2.3' },
        };
        statuses.push((await ask('/api/wallets/challenge', asked)).status);
      }
      assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429]);
    });

    test('/metrics covers the whole process, whichever thread responds', async () => {
      const countIn = (text: string) =>
        Number(/_requests_total\{operation="core.health.getReadiness",status="2xx"\} (\d+)/.exec(text)?.[1]);
      for (const { ask } of both) assert.equal((await ask('/readyz')).status, 200);
      const metrics = async ({ ask }: Asking) =>
        (await ask('/metrics', { headers: { authorization: 'Bearer the-scraper' } })).text;
      const texts = [await metrics(stand.first), await metrics(stand.further), await metrics(stand.first)];
      assert.deepEqual(texts.map(countIn), [2, 2, 2]);
      const valuesOf = (name: string) =>
        texts.map((text) => Number(new RegExp(`^capstan_${name} (\\S+)`, 'm').exec(text)?.[1]));
      const [resident] = valuesOf('process_resident_memory_bytes');
      assert.ok((resident as number) < 1.5 * process.memoryUsage.rss(), 'what is of the process is not added up');
      assert.equal(new Set(valuesOf('process_start_time_seconds')).size, 1);
      const seconds = valuesOf('process_cpu_seconds_total');
      assert.deepEqual(
        seconds,
        seconds.toSorted((a, b) => a - b),
        'a counter never goes back',
      );
      assert.match(texts[0] as string, /_request_seconds_count\{operation="core.health.getReadiness"\} 2$/m);
    });

    test('reports the shared port as taken, and log lines include the thread', async () => {
      await assert.rejects(refuseTakenPort('127.0.0.1', stand.port), {
        code: 'startup.unavailable',
        reason: 'port_taken',
      });
      assert.ok(stand.lines.every((line) => line.includes('"thread":1')));
    });

    test('at shutdown, both threads finish open requests, end streams and stop listening', async () => {
      const events = `${await newTask(account.token)}/events`;
      const headers = { authorization: `Bearer ${account.token}` };
      const streams = await Promise.all(both.map((asking) => asking.open(events, { headers })));
      assert.deepEqual(
        streams.map(({ statusCode }) => statusCode),
        [200, 200],
      );
      const body = JSON.stringify(rpc('ping'));
      const head = `POST /mcp/jsonrpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
      const begun = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const socket = connect(stand.port, '127.0.0.1').setEncoding('latin1');
          socket.write(`${head}\r\nExpect: 100-continue\r\n\r\n`);
          const [answer] = await once(socket, 'data');
          assert.match(answer, /^HTTP\/1\.1 100/);
          return socket;
        }),
      );
      // Longer than a test may take, because nothing waits that long.
      const closed = stand.close(600_000);
      const ended = Promise.all(streams.map((stream) => text(stream)));
      const answers = begun.map((socket) => text(socket));
      for (const socket of begun) socket.write(body);
      for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*"result":\{\}/);
      await ended;
      await closed;
      await assert.rejects(once(connect(stand.port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
      assert.ok(
        workers.every(({ threadId }) => threadId === -1),
        'no thread is left',
      );
    });
  } else
    test('when a thread exits unexpectedly, the service reports the failure, keeps responding, and closes', async () => {
      const serving = workers.find(({ threadName }) => threadName === 'serving 2');
      await serving?.terminate();
      assert.match((await stand.serving.broken).message, /thread 2 exited/);
      assert.equal((await stand.first.ask('/healthz')).status, 200);
      const headers = { authorization: 'Bearer the-scraper' };
      assert.match((await stand.first.ask('/metrics', { headers })).text, /capstan_http_requests_total/);
      await stand.close();
    });
});

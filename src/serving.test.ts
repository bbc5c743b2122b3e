import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { type Account, accountsOf } from '../test/accounts.ts';
import { eachDatabase, type TestDatabase } from '../test/databases.ts';
import { exampleItem, saveItems } from '../test/example-items.ts';
import { call, rpc } from '../test/mcp-stand.ts';
import { type Asking, openServingStand } from '../test/serving-stand.ts';
import { refuseTakenPort } from './platform/http/taken-port.ts';

/** Two threads on one port are one service to whoever asks. */

const LIMIT = 40;
const SETTINGS = {
  CAPSTAN_LIMIT_MCP: `${LIMIT}/1h`,
  CAPSTAN_MCP_SESSIONS: '1',
  CAPSTAN_TRUSTED_PROXIES: '127.0.0.1',
  CAPSTAN_METRICS_TOKEN: 'the-scraper',
};

eachDatabase('two serving threads', (open, engine) => {
  let database: TestDatabase;
  let stand: Awaited<ReturnType<typeof openServingStand>>;
  let account: Account;
  let both: Asking[];
  const workers: Worker[] = [];
  before(async () => {
    database = await open();
    const note = (worker: Worker) => void workers.push(worker);
    process.on('worker', note);
    stand = await openServingStand(database.config, SETTINGS);
    process.off('worker', note);
    both = [stand.first, stand.further];
    const { data_dir, serving } = stand;
    account = await (await accountsOf({ ...serving, data_dir } as never)).signUp();
  });
  after(() => stand.close());

  test('a change of the catalogue is found by each of them from the moment that one says so', async () => {
    const path = '/api/marketplace/registry?limit=5';
    const { catalog } = stand.serving;
    const versions = [];
    for (const number of [1, 2]) {
      await saveItems(database.db, [exampleItem(number, { name: `name ${number}` })]);
      await catalog.refresh();
      const answers = await Promise.all(both.map(({ ask }) => ask(path)));
      for (const it of answers) assert.match(it.text, new RegExp(`"name":"name ${number}"`));
      assert.equal(answers[0]?.headers.etag, answers[1]?.headers.etag);
      versions.push(answers[0]?.headers.etag);
    }
    assert.notEqual(versions[0], versions[1]);
  });

  const post = (from: string, body: unknown, headers = {}) => ({
    ...{ method: 'POST', body },
    headers: { accept: 'application/json, text/event-stream', 'x-forwarded-for': from, ...headers },
  });

  test('an MCP session goes on, whichever of them its connections come to', async () => {
    const params = {
      ...{ protocolVersion: '2025-11-25', capabilities: { elicitation: {} } },
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

  test('the events of a task that was begun in the one are told in the other, to the end', async () => {
    const headers = { authorization: `Bearer ${account.token}` };
    const input = { before: { port: 80 }, after: { port: 8080 } };
    const body = { capability: { kind: 'skill', ref: 'json-diff' }, input };
    const made = await stand.first.ask('/api/agents/tasks', { method: 'POST', headers, body });
    const path = `/api/agents/tasks/${JSON.parse(made.text).id}`;
    const watching = stand.first.ask(`${path}/events`, { headers });
    const started = await stand.further.ask(`${path}/start`, { method: 'POST', headers });
    assert.equal(started.status, 202, started.text);
    // Nobody works here, so it is ended behind the worker's back; the other thread is told as of any change.
    const id = path.slice(path.lastIndexOf('/') + 1);
    await database.db.updateTable('tasks').set({ status: 'cancelled' }).where('id', '=', id).execute();
    const cancelled = { method: 'PUT', headers, body: { status: 'cancelled' } };
    assert.equal((await stand.further.ask(path, cancelled)).status, 200);
    const statuses = [...(await watching).text.matchAll(/"status":"(\w+)"/g)].map(([, it]) => it);
    assert.deepEqual(statuses, ['working']);
  });

  if (engine === 'sqlite') {
    // What no engine makes a difference to.
    test('a limit that is counted ahead lets through as many as it says, whichever of them it was counted in', async () => {
      const ping = ({ ask }: Asking) => ask('/mcp/jsonrpc', post('192.0.2.1', rpc('ping')));
      assert.equal((await ping(stand.first)).status, 200);
      const statuses: number[] = [];
      for (let n = 0; n < LIMIT + 2; n++) statuses.push((await ping(stand.further)).status);
      assert.deepEqual(statuses, [...Array(LIMIT - 1).fill(200), 429, 429, 429]);
      assert.equal((await ping(stand.first)).status, 429);
    });

    test('metrics are of the whole process, whichever of them is asked', async () => {
      const countIn = (text: string) =>
        Number(/_requests_total\{operation="health.getReadiness",status="2xx"\} (\d+)/.exec(text)?.[1]);
      for (const { ask } of both) assert.equal((await ask('/readyz')).status, 200);
      const texts = await Promise.all(
        both.map(async ({ ask }) => (await ask('/metrics', { headers: { authorization: 'Bearer the-scraper' } })).text),
      );
      assert.deepEqual(texts.map(countIn), [2, 2]);
      const [resident] = texts.map((it) => Number(/^capstan_process_resident_memory_bytes (\d+)/m.exec(it)?.[1]));
      assert.ok((resident as number) < 1.5 * process.memoryUsage.rss(), 'what is of the process is not added up');
      assert.match(texts[0] as string, /^capstan_process_start_time_seconds \d/m);
    });

    test('a port that is shared is refused to others, and lines of the log say whose they are', async () => {
      await assert.rejects(refuseTakenPort('127.0.0.1', stand.port), { code: 'startup.port_taken' });
      assert.ok(stand.lines.every((line) => line.includes('"thread":1')));
    });

    test('told to stop, both let open requests end; nobody listens any more', async () => {
      const body = JSON.stringify(rpc('ping'));
      const head = `POST /mcp/jsonrpc HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
      const begun = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const socket = connect(stand.port, '127.0.0.1').setEncoding('latin1');
          socket.write(`${head}\r\nExpect: 100-continue\r\n\r\n`);
          const [answer] = await once(socket, 'data');
          assert.match(answer, /^HTTP\/1\.1 100/);
          return socket;
        }),
      );
      const closed = stand.close(5_000);
      const answers = begun.map((socket) => text(socket));
      for (const socket of begun) socket.write(body);
      for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*"result":\{\}/);
      await closed;
      await assert.rejects(once(connect(stand.port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' });
      assert.ok(
        workers.every(({ threadId }) => threadId === -1),
        'no thread is left',
      );
    });
  } else
    test('where a thread ends by itself the service says that it is broken, answers on, and closes', async () => {
      const serving = workers.find(({ threadName }) => threadName === 'serving 2');
      await serving?.terminate();
      assert.match((await stand.serving.broken).message, /thread 2 has ended/);
      assert.equal((await stand.first.ask('/healthz')).status, 200);
      const headers = { authorization: 'Bearer the-scraper' };
      assert.match((await stand.first.ask('/metrics', { headers })).text, /capstan_http_requests_total/);
      await stand.close();
    });
});

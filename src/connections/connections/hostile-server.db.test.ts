import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { connectionsStand, startOdd } from '#test/connections-stand.ts';
import { openTestDatabase } from '#test/databases.ts';
import { type FakeTool, startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { until } from '#test/until.ts';

/** What a hostile server can do apart from bad responses: fill the database, occupy slots, hide text in names. */

const database = await openTestDatabase();
const stand = await connectionsStand(database);
const fake = await startMcpFake();
const PATH = '/api/sessions/connections';
after(async () => {
  await stand[Symbol.asyncDispose]();
  await fake.close();
  await database.close();
});
const echo: FakeTool = { name: 'echo', call: () => textResult('hi') };

test("truncates a server's name and shows its control characters", async () => {
  const as = await stand.newUser();
  const name = `Tides\u0000\u202e\n<script>${'x'.repeat(90_000)}`;
  fake.fault = (_, response, body) => {
    const { id, method } = JSON.parse(body || '{}');
    if (method !== 'initialize' && method !== 'server/discover') return false;
    if (method === 'server/discover') return Boolean([response.writeHead(400).end()]);
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name, version: name } };
    response.writeHead(200, { 'content-type': 'application/json' });
    return Boolean([response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))]);
  };
  const made = await stand.ask(as, 'POST', PATH, { url: fake.url });
  fake.fault = () => false;
  assert.equal(made.status, 201, made.text.slice(0, 500));
  const shown = made.body.server_info ?? assert.fail(JSON.stringify(made.body.last_error));
  // Invisible characters are made visible.
  assert.match(shown.name, /^Tides⟨U\+0000⟩⟨U\+202E⟩ <script>x+…?$/);
  assert.ok(shown.name.length <= 200 && shown.version.length <= 200);
});

test('cuts off oversized, compressed and endless responses with result_too_large', async () => {
  const as = await stand.newUser();
  const json = { 'content-type': 'application/json' };
  const bomb = gzipSync(Buffer.alloc(60_000_000, 32));
  const forever = (response: ServerResponse) => {
    const chunk = Buffer.alloc(256 * 1024, 32);
    const more = () => void response.write(chunk, (error) => !error && setImmediate(more));
    more();
  };
  for (const [what, answer] of [
    ['announced', (response) => response.writeHead(200, { ...json, 'content-length': 10_000_000_000 }).write(' ')],
    ['bomb', (response) => response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb)],
    ['without an end', (response) => forever(response.writeHead(200, json))],
  ] as [string, (response: ServerResponse) => unknown][]) {
    fake.fault = (_, response) => Boolean([answer(response)]);
    const { body } = await stand.ask(as, 'POST', PATH, { url: fake.url });
    assert.deepEqual(
      [body.last_error?.code, body.last_error?.reason],
      ['connections.server_failed', 'result_too_large'],
      `${what}: ${JSON.stringify(body)}`,
    );
  }
  fake.fault = () => false;
});

test('422: an SSE server whose endpoint is on another host gets no message there', async () => {
  const as = await stand.newUser();
  const asked: string[] = [];
  const elsewhere = await startOdd((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(202).end();
  });
  const older = await startOdd((request, response) => {
    if (request.method !== 'GET') return void response.writeHead(405).end();
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write(`event: endpoint\ndata: ${elsewhere.url}\n\n`);
  });
  const { body } = await stand.ask(as, 'POST', PATH, { url: older.url, transport: 'sse' });
  assert.deepEqual([body.code, asked], ['connections.invalid', []], JSON.stringify(body));
  await Promise.all([older.close(), elsewhere.close()]);
});

test('rejects a tool with a definition that is too long, and more than 1,000 accepted tools', async () => {
  const as = await stand.newUser();
  fake.tools.splice(0, Number.POSITIVE_INFINITY, echo, { ...echo, name: 'book', description: 'x'.repeat(600_000) });
  const path = await stand.connect(as, fake.url);
  const call = async (tool: string) => (await stand.ask(as, 'POST', `${path}/tools/call`, { tool })).body.code ?? 'ok';
  assert.equal(await call('book'), 'connections.tool_unsupported');
  const connection_id = path.slice(path.lastIndexOf('/') + 1);
  const rows = Array.from({ length: 1_000 }, (_, at) => ({
    connection_id,
    tool: `t${at}`,
    hash: '',
    definition: '{}',
  }));
  const accepted_at = '2026-01-01T00:00:00.000Z';
  await database.db
    .insertInto('connection_tools')
    .values(rows.map((row) => ({ ...row, accepted_at })))
    .execute();
  assert.equal(await call('echo'), 'connections.server_failed');
  await database.db.deleteFrom('connection_tools').where('tool', '=', 't7').execute();
  assert.deepEqual([await call('echo'), await call('echo')], ['ok', 'ok']);
});

test("429: a user's 65th concurrent call is refused, and other users are not delayed", async () => {
  const [as, other] = [await stand.newUser(), await stand.newUser()];
  const release = Promise.withResolvers<ReturnType<typeof textResult>>();
  fake.tools.splice(0, Number.POSITIVE_INFINITY, echo, { name: 'slow', call: () => release.promise });
  const [path, others] = [await stand.connect(as, fake.url), await stand.connect(other, fake.url)];
  let refused = 0;
  const slow = async () => {
    const { body } = await stand.ask(as, 'POST', `${path}/tools/call`, { tool: 'slow', timeout_ms: 60_000 });
    if (body.code === 'http.limit_exceeded') refused++;
    return body.code ?? 'ok';
  };
  const answers = Array.from({ length: 66 }, slow);
  // 64 places are taken, so the calls beyond are refused while all others still run.
  await until('two refusals', () => refused === 2);
  const echoed = await stand.ask(other, 'POST', `${others}/tools/call`, { tool: 'echo' });
  assert.equal(echoed.status, 200, echoed.text);
  release.resolve(textResult('done'));
  const codes = await Promise.all(answers);
  assert.equal(codes.filter((code) => code === 'ok').length, 64, codes.join());
});

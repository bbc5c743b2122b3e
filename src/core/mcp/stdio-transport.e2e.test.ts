import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { until } from '#test/until.ts';
import { STDIO_LIMITS, type StdioStreams, stdioTransport } from './stdio-transport.ts';

/** The official client over local processes. */

/** Answers initialize and tools/list; output of `more` comes first. */
const serverText = (more = ''): string => `
  ${more}
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  let rest = '';
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    for (const { id, method, params } of lines.map((line) => JSON.parse(line))) {
      if (method === 'initialize')
        send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'clock', version: '1' } } });
      else if (method === 'tools/list') send({ id, result: { tools: [{ name: 'now', inputSchema: { type: 'object' } }] } });
      else if (id !== undefined) send({ id, error: { code: -32601, message: 'no ' + method } });
    }
  });`;

function start(source: string): StdioStreams & { starts: number; code(): Promise<number | null> } {
  const child = spawn(process.execPath, ['-e', source], { stdio: ['pipe', 'pipe', 'ignore'] });
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    kill: () => child.kill('SIGKILL'),
    gone,
    starts: 1,
    code: () => gone,
  };
}

const client = () => new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });

test('lines before the first message are ignored, and the server exits when its input ends', async () => {
  const server = start(serverText(`console.log('Clock server ready'); console.log('{"level":"info"}');`));
  const mcp = client();
  await mcp.connect(stdioTransport(server));
  assert.deepEqual(
    (await mcp.listTools()).tools.map(({ name }) => name),
    ['now'],
  );
  await mcp.close();
  assert.equal(await server.code(), 0);
});

test('an answer with an id that was never requested is ignored', async () => {
  const forged = `const forge = (id) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [{ name: 'forged', inputSchema: { type: 'object' } }] } }));
    process.stdin.on('data', () => forge(999));`;
  const server = start(serverText(forged));
  const mcp = new Client({ name: 'test', version: '1' });
  const unexpected: Error[] = [];
  mcp.onerror = (error) => void unexpected.push(error);
  await mcp.connect(stdioTransport(server));
  assert.deepEqual(
    (await mcp.listTools()).tools.map(({ name }) => name),
    ['now'],
  );
  assert.ok(unexpected.length > 0, 'the client was told of them');
  await mcp.close();
});

test('a server that ignores the end of its input is killed', async () => {
  const server = start(serverText(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000);`));
  const mcp = client();
  await mcp.connect(stdioTransport(server));
  await mcp.close();
  assert.equal(await server.code(), null);
});

test('the session closes when the server exits', async () => {
  const server = start(serverText());
  const transport = stdioTransport(server);
  const mcp = client();
  await mcp.connect(transport);
  const closed = new Promise<void>((resolve) => {
    mcp.onclose = resolve;
  });
  server.kill();
  await closed;
  await assert.rejects(transport.send({ jsonrpc: '2.0', method: 'x' }), /the server has ended/);
});

for (const [what, bytes] of [
  ['short messages', 1],
  ['messages that fill their chunks', 3_000],
] as const)
  test(`a flood of ${what} is read in parts, and its last one is received although the server has ended`, async () => {
    const server = start(`
      const line = (n) => JSON.stringify({ jsonrpc: '2.0', method: 'n', params: { n, text: 'x'.repeat(${bytes}) } }) + '\\n';
      process.stdout.write(Array.from({ length: 5_000 }, (_, n) => line(n)).join(''));`);
    let pauses = 0;
    const pause = server.stdout.pause.bind(server.stdout);
    server.stdout.pause = () => {
      pauses += 1;
      return pause();
    };
    const transport = stdioTransport(server);
    let received = 0;
    transport.onmessage = () => {
      received++;
    };
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    await transport.start();
    await closed;
    assert.equal(received, 5_000);
    assert.ok(pauses >= 5_000 / 200, `${pauses} pauses`);
  });

for (const [what, source, reason] of [
  ['a line that never ends', `for (;;) process.stdout.write('x'.repeat(65_536))`, /a message of more than/],
  ['lines that are not messages', `for (;;) console.log('tick')`, /lines that are not MCP messages/],
  ['a deeply nested message', `console.log('['.repeat(500_000)); for (;;);`, /nested more than 64 levels deep/],
  [
    'a message with too many fields',
    `console.log('{' + Array.from({ length: 50_000 }, (_, n) => '"k' + n + '":1') + '}'); for (;;);`,
    /more than 30,000 fields/,
  ],
  [
    'more bytes than the limit',
    `for (;;) console.log(JSON.stringify({ jsonrpc: '2.0', method: 'n', params: { text: 'x'.repeat(9_000) } }))`,
    /more than 3000000 bytes/,
  ],
] as const)
  test(`a server that writes ${what} is killed, with the reason`, async () => {
    // A write that nobody reads blocks, so the endless loop uses no memory.
    const server = start(`process.stdout._handle?.setBlocking?.(true); ${source}`);
    const limits = { ...STDIO_LIMITS, max_line_bytes: 1_000_000, max_bytes: 3_000_000 };
    const transport = stdioTransport(server, limits);
    const failed = new Promise<Error>((resolve) => {
      transport.onerror = resolve;
    });
    await transport.start();
    assert.match((await failed).message, reason);
    assert.equal(await server.code(), null);
  });

test('nothing more is read of a server that was cut off, until it has ended', async () => {
  const gone = Promise.withResolvers<void>();
  let pulled = 0;
  const stdout = new Readable({
    read() {
      pulled += 1;
      setImmediate(() => this.push(Buffer.alloc(65_536, 'x')));
    },
  });
  const killed = Promise.withResolvers<number>();
  const kill = () => killed.resolve(pulled);
  const limits = Object.assign({}, STDIO_LIMITS, { max_line_bytes: 1_048_576 });
  const transport = stdioTransport({ stdin: new PassThrough(), stdout, kill, gone: gone.promise }, limits);
  await transport.start();
  const before = await killed.promise;
  for (let n = 0; n < 50; n++) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(pulled <= before + 2, `${pulled - before} more chunks`);
  gone.resolve();
  await until('the rest is read', () => pulled > before + 10);
  stdout.destroy();
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, test } from 'node:test';
import type { McpProgress, McpSession } from '#core/mcp/session.ts';
import { openStdioSession, type StdioEnd } from '#core/mcp/stdio-session.ts';
import type { BoxEndpoint } from '#core/mcp/target.ts';
import { startMcpFake, textResult } from '#test/fakes/mcp-server.ts';
import { startMcpSseFake } from '#test/fakes/mcp-sse-server.ts';
import { openImageRegistry } from '#test/packages/image-registry.ts';
import { openNpmRegistry } from '#test/packages/npm-registry.ts';
import { noPackagesHere, openTestServers, runtimeFixture } from '#test/packages/runtime.ts';
import { WEB_CONFIG, WEB_PORT, webImage } from '#test/packages/web-image.ts';
import { bridged } from './bridge.ts';

/** Servers that listen at an address: of every era over the bridge on this host, and packages in real boxes. */

const LIMITS = { timeout_ms: 30_000, max_bytes: 4_000_000 };
const IDLE = 'setInterval(() => {}, 1_000);';

function endpointOf(url: string, more: Partial<BoxEndpoint> = {}): BoxEndpoint {
  const { port, pathname } = new URL(url);
  return { transport: 'streamable-http', port: Number(port), path: pathname, headers: {}, ...more };
}

/** Opens a session over a bridge that starts `program`. */
async function overBridge(endpoint: BoxEndpoint, program = IDLE, timeout_ms = LIMITS.timeout_ms) {
  const argv = bridged([process.execPath, '-e', program], endpoint);
  const start = async () => {
    const child = spawn(process.execPath, argv.slice(1), { env: {}, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    child.stderr.resume();
    const kill = () => {
      try {
        process.kill(-(child.pid as number), 'SIGKILL');
      } catch {
        // Already gone.
      }
    };
    const gone = new Promise<StdioEnd>((resolve) =>
      child.once('exit', (code, signal) => {
        kill();
        resolve({ reason: signal === 'SIGKILL' ? 'killed' : 'exited', message: `It ended with ${code ?? signal}.` });
      }),
    );
    return { stdin: child.stdin, stdout: child.stdout, kill, gone };
  };
  return openStdioSession({ start, limits: { ...LIMITS, timeout_ms }, on_tools_changed: () => {} }, null);
}

async function callFirst({ listTools, callTool }: McpSession, on_progress?: (progress: McpProgress) => void) {
  const [tool] = (await listTools()).tools;
  assert.ok(tool !== undefined);
  const { content } = await callTool({ tool, arguments: { city: 'Ghent' }, on_progress });
  return content[0]?.type === 'text' ? content[0].text : '';
}

for (const [era, version] of [
  ['both', '2026-07-28'],
  ['modern', '2026-07-28'],
  ['legacy', '2025-11-25'],
  ['sessions', '2025-11-25'],
] as const)
  test(`calls an HTTP server of the era "${era}" with progress and the listing’s headers`, async (t) => {
    const told = Promise.withResolvers<number>();
    const look = {
      name: 'look',
      call: async (args: Record<string, unknown>, _: unknown, { progress }: { progress(n: number): Promise<void> }) => {
        await progress(1);
        await told.promise;
        return textResult(`seen ${args.city}`);
      },
    };
    const fake = await startMcpFake([look], { era });
    t.after(fake.close);
    const opened = await overBridge(endpointOf(fake.url, { headers: { 'x-team': 'north' } }));
    assert.ok(opened.ok, JSON.stringify(opened));
    const answer = await opened.value.work(LIMITS, null, async (session) => {
      assert.equal(session.protocol_version, version);
      return callFirst(session, ({ progress }) => told.resolve(progress));
    });
    await opened.value.close();
    assert.deepEqual(answer, { ok: true, value: 'seen Ghent' });
    assert.equal(await told.promise, 1);
    assert.ok(fake.headers.every((headers) => headers['x-team'] === 'north'));
  });

test('calls an SSE server at the endpoint that its stream announces', async (t) => {
  const fake = await startMcpSseFake();
  t.after(fake.close);
  const opened = await overBridge(endpointOf(fake.url, { transport: 'sse' }));
  assert.ok(opened.ok, JSON.stringify(opened));
  assert.deepEqual(await opened.value.work(LIMITS, null, callFirst), { ok: true, value: 'from the stream' });
  await opened.value.close();
});

test('canceling a call aborts it at the server', async (t) => {
  const gone = Promise.withResolvers<void>();
  const called = Promise.withResolvers<void>();
  const slow = {
    name: 'slow',
    call: async (_: unknown, __: unknown, { signal }: { signal: AbortSignal }) => {
      signal.addEventListener('abort', () => gone.resolve());
      called.resolve();
      await gone.promise;
      return textResult('late');
    },
  };
  const fake = await startMcpFake([slow]);
  t.after(fake.close);
  const opened = await overBridge(endpointOf(fake.url));
  assert.ok(opened.ok);
  const controller = new AbortController();
  const working = opened.value.work(LIMITS, controller.signal, callFirst);
  await called.promise;
  controller.abort(new Error('no longer wanted'));
  await assert.rejects(working, /no longer wanted/);
  await gone.promise;
  await opened.value.close();
});

test('names the reason when a server exits, never listens, or does not speak MCP', async (t) => {
  const web = await startMcpFake();
  t.after(web.close);
  web.fault = (_, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<html>');
    return true;
  };
  const reasonOf = async (...of: Parameters<typeof overBridge>) => {
    const opened = await overBridge(...of);
    return opened.ok ? 'ok' : opened.failure.reason;
  };
  const closed = await startMcpFake();
  await closed.close();
  assert.equal(await reasonOf(endpointOf(closed.url), 'process.exit(3);'), 'start_failed');
  assert.equal(await reasonOf(endpointOf(closed.url), IDLE, 1_500), 'timed_out');
  assert.equal(await reasonOf(endpointOf(web.url)), 'refused');
});

const skip = await noPackagesHere();
const registry = await openNpmRegistry();
after(() => registry.close());
/** A server that prints to standard output before it listens, and speaks the protocol of 2025. */
const SERVER = `#!/usr/bin/env node
  console.log('listening soon');
  const results = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'web', version: '1' } }),
    'tools/list': () => ({ tools: [{ name: 'about', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: JSON.stringify({ env: Object.keys(process.env), args: process.argv.slice(2) }) }] }),
  };
  const server = require('node:http').createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== '/mcp') return response.writeHead(405).end();
    let body = '';
    request.on('data', (chunk) => (body += chunk)).on('end', () => {
      const { id, method, params } = JSON.parse(body);
      if (id === undefined) return response.writeHead(202).end();
      const result = results[method]?.(params);
      const message = result === undefined ? { error: { code: -32601, message: 'no ' + method } } : { result };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('event: message\\ndata: ' + JSON.stringify({ jsonrpc: '2.0', id, ...message }) + '\\n\\n');
    });
  });
  server.listen(Number(process.env.PORT), process.env.LISTEN);`;
registry.publish('web', {
  version: '1.0.0',
  manifest: { bin: 'server.js' },
  files: [{ path: 'server.js', text: SERVER }],
});
const fixture = runtimeFixture({ CAPSTAN_NPM_REGISTRY: registry.url });
after(() => fixture[Symbol.asyncDispose]());

for (const [address, port] of [
  ['127.0.0.1', 8_123],
  ['localhost', 8_123],
  ['::1', 8_123],
  ['0.0.0.0', 8_123],
  // Ports that need a right outside of a box; the gate of other boxes listens at 80.
  ['0.0.0.0', 80],
  ['127.0.0.1', 7],
] as const)
  test(`calls a package that listens at ${address}:${port} in its box, and hides the bridge from its environment`, {
    skip,
  }, async () => {
    await using of = openTestServers(fixture);
    const source = {
      registry_type: 'npm',
      identifier: 'web',
      version: '1.0.0',
      file_sha256: '',
      registry_base_url: '',
    };
    const { answer, facts } = await of.servers.through(
      {
        target: {
          transport: 'stdio',
          package: source,
          arguments: ['--fast'],
          env: { PORT: `${port}`, LISTEN: address },
          secrets: [],
          hosts: [],
          endpoint: { transport: 'streamable-http', port, path: '/mcp', headers: {} },
        },
        kept: null,
        share: { user_id: 'ana', address: null },
        limits: LIMITS,
        signal: null,
      },
      (session) => callFirst(session),
    );
    assert.ok(answer.ok, JSON.stringify(answer));
    const { env, args } = JSON.parse(answer.value);
    assert.deepEqual(args, ['--fast']);
    assert.ok(
      env.every((name: string) => !/CAPSTAN|BRIDGE/.test(name)),
      env.join(),
    );
    assert.deepEqual(facts.hosts, []);
  });

const layer = webImage();
test('calls an image that listens at a port, with the limits and the network of every box', {
  skip: skip || (layer === null && 'Perl is not installed'),
}, async () => {
  const images = await openImageRegistry();
  await using own = runtimeFixture({ CAPSTAN_OCI_REGISTRIES: `${images.host}=${images.url}` });
  const digest = images.push('ana/web', '1', { layers: [layer ?? []], config: WEB_CONFIG });
  const source = {
    registry_type: 'oci',
    identifier: `${images.host}/ana/web@${digest}`,
    version: '',
    file_sha256: '',
    registry_base_url: '',
  };
  const call = async (port: number) => {
    await using of = openTestServers(own, { runtime_start_ms: 5_000 });
    assert.equal(of.servers.refusal({ package: source, transport: 'streamable-http' }), null);
    const { answer } = await of.servers.through(
      {
        target: {
          transport: 'stdio',
          package: source,
          arguments: [],
          env: { MODE: 'quiet' },
          secrets: [],
          hosts: [],
          endpoint: { transport: 'streamable-http', port, path: '/mcp', headers: {} },
        },
        kept: null,
        share: { user_id: 'ana', address: null },
        limits: LIMITS,
        signal: null,
      },
      (session) => callFirst(session),
    );
    return answer;
  };
  try {
    const answer = await call(WEB_PORT);
    assert.ok(answer.ok, JSON.stringify(answer));
    const { env, args, node } = JSON.parse(answer.value);
    assert.deepEqual([args, node, env.includes('MODE')], [['--image'], false, true]);
    assert.ok(
      env.every((name: string) => !/CAPSTAN|BRIDGE|LD_/.test(name)),
      env.join(),
    );
    const late = await call(WEB_PORT + 1);
    assert.equal(late.ok || late.failure.reason, 'timed_out');
  } finally {
    await images.close();
  }
});

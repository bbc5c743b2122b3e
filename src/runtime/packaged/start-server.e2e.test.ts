import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openStdioSession } from '#core/mcp/stdio-session.ts';
import type { BoxLimits } from '#runtime/boxes/box.ts';
import { openBwrapDriver, SMALL_LIMITS } from '#runtime/boxes/bwrap-driver.ts';
import type { InstallDriver } from '#runtime/packages/install-box.ts';
import { stdioProgram } from '#test/fakes/stdio-server.ts';
import { hostDriver } from '#test/packages/host-driver.ts';
import { openNpmRegistry } from '#test/packages/npm-registry.ts';
import { npmCliHere, openTestPackages, ref } from '#test/packages/store.ts';
import { type PackagedServer, startPackagedServer } from './start-server.ts';

/** Packages of a loopback registry, started in real boxes and called over MCP. */

const bwrap = await openBwrapDriver();
after(() => bwrap.close());
const host = hostDriver();
const boxes: InstallDriver = {
  start: (order) => (order.egress.mode === 'none' ? bwrap.start(order) : host.start(order)),
};
const skip =
  bwrap.isolation === null
    ? 'bubblewrap cannot start boxes here'
    : npmCliHere() === null && 'no npm CLI that is new enough is installed';
const LIMITS = { timeout_ms: 30_000, max_bytes: 1_000_000 };
const MEMORY: BoxLimits = Object.assign({}, SMALL_LIMITS, { memory_bytes: 512 * 1_048_576 });

async function withServer(
  source: string,
  { env = {}, secrets = [], args = [] }: { env?: Record<string, string>; secrets?: string[]; args?: string[] },
  work: (answer: Awaited<ReturnType<typeof openStdioSession>>, server: PackagedServer) => Promise<void>,
): Promise<void> {
  const registry = await openNpmRegistry();
  const packages = openTestPackages({ npm_registry: registry.url }, { boxes });
  registry.publish('clock', {
    version: '1.0.0',
    manifest: { bin: 'server.js' },
    files: [{ path: 'server.js', text: `#!/usr/bin/env node\n${source}` }],
  });
  try {
    const prepared = await packages.store.prepare(ref('npm', 'clock', '1.0.0'));
    let server: PackagedServer | undefined;
    const start = async (signal: AbortSignal) => {
      const order = { prepared, args, env, secrets, limits: MEMORY, egress: { mode: 'none', watch: false } } as const;
      server = await startPackagedServer(bwrap, order, signal);
      return server;
    };
    const answer = await openStdioSession({ start, limits: LIMITS, on_tools_changed: () => {} }, null);
    await work(answer, server as PackagedServer);
  } finally {
    await packages.close();
    await registry.close();
  }
}

test('a package from a registry answers a tool call from inside its box', { skip }, async () => {
  await withServer(stdioProgram(), {}, async (answer, server) => {
    assert.ok(answer.ok, JSON.stringify(answer));
    const said = await answer.value.work(LIMITS, null, async ({ listTools, callTool, server: of }) => {
      const [tool] = (await listTools()).tools;
      assert.ok(tool !== undefined);
      return { of, content: (await callTool({ tool, arguments: {} })).content };
    });
    assert.deepEqual(said, {
      ok: true,
      value: { of: { name: 'clock', version: '1' }, content: [{ type: 'text', text: 'noon' }] },
    });
    await answer.value.close();
    assert.equal((await server.gone).reason, 'exited');
    assert.equal(bwrap.counts().running, 0);
  });
});

test('passes the user’s values to the server, and removes secrets from its error message', { skip }, async () => {
  const env = { API_KEY: 'very-secret-value', MODE: 'loud' };
  const source = `console.error('bad key', process.env.API_KEY, process.env.MODE, process.argv.slice(2).join()); process.exit(2);`;
  await withServer(source, { env, secrets: [env.API_KEY], args: ['--port', '1'] }, async (answer) => {
    assert.ok(!answer.ok);
    assert.equal(answer.failure.reason, 'start_failed');
    assert.match(answer.failure.detail, /bad key \S+ loud --port,1/);
    assert.doesNotMatch(answer.failure.detail, /very-secret/);
  });
});

test('out_of_memory: a server exceeds its memory before it answers', { skip }, async () => {
  const source = `const kept = []; for (;;) kept.push(Buffer.alloc(16 * 1_048_576, 1));`;
  await withServer(source, {}, async (answer, server) => {
    assert.ok(!answer.ok);
    assert.equal(answer.failure.reason, 'out_of_memory', answer.failure.detail);
    assert.equal((await server.gone).reason, 'out_of_memory');
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after } from 'node:test';
import type { User } from '#accounts/users/users.ts';
import { nextSeq } from '#catalog/changes/changes.ts';
import { saveListings } from '#catalog/items/items.ts';
import { connectionsStand, type SessionsStand } from './connections-stand.ts';
import type { TestDatabase } from './databases.ts';
import { listing } from './listings.ts';
import { type NpmRegistry, openNpmRegistry } from './packages/npm-registry.ts';
import { openTestServers, type RuntimeFixture, runtimeFixture } from './packages/runtime.ts';
import { until } from './until.ts';

/** Connections to servers that are started from packages of a loopback registry, in real boxes, over HTTP. */

export const PATH = '/api/sessions/connections';

/** What it was started with, a call of a host, and a call that tells how far it is. */
export const SERVER = `#!/usr/bin/env node
  const needed = process.env.NEEDS_HOST ? fetch('https://' + process.env.NEEDS_HOST).catch(() => process.exit(4)) : Promise.resolve();
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const tools = ['about', 'fetch', 'slow', 'ask', 'die'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
  const calls = {
    about: () => text({ pid: process.pid, args: process.argv.slice(2), key: process.env.API_KEY, units: process.env.UNITS, now: Date.now() }),
    fetch: async ({ host }) => text(await fetch('https://' + host).then(() => 'reached', (error) => error.cause?.code ?? String(error))),
    slow: async (_, token) => {
      send({ method: 'notifications/progress', params: { progressToken: token, progress: 1, total: 2, message: 'half' } });
      await new Promise(() => {});
    },
    ask: async () => {
      send({ id: 'q1', method: 'elicitation/create', params: { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } } });
      return text(await new Promise((answer) => answers.set('q1', answer)));
    },
    die: () => process.exit(9),
  };
  const answers = new Map();
  let rest = '';
  process.stdin.on('data', async (chunk) => {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    for (const { id, method, params, result } of lines.map((line) => JSON.parse(line))) {
      if (id === undefined) continue;
      if (method === undefined) answers.get(id)?.(result);
      else if (method === 'initialize')
        send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'probe', version: '1' } } });
      else if (method === 'tools/list') void needed.then(() => send({ id, result: { tools } }));
      else if (method === 'tools/call') void Promise.resolve(calls[params.name](params.arguments ?? {}, params._meta?.progressToken)).then((result) => send({ id, result }));
      else send({ id, error: { code: -32601, message: 'no ' + method } });
    }
  });
  process.stdin.on('end', () => process.exit(0));`;

interface PackagedFixture {
  registry: NpmRegistry;
  publish(name: string, source?: string): void;
  /** Installs the package into the shared store, and returns the folder of the service that has it. */
  prepare(name: string): Promise<string>;
  /** Servers of another process over the shared store. */
  servers(): Pick<TestServers, 'servers'> & { config: RuntimeFixture['deps']['config']; close(): Promise<void> };
  /** A process with its own servers and the shared store. */
  open(database: TestDatabase, settings?: Parameters<typeof openTestServers>[1]): Promise<PackagedStand>;
}

interface PackagedStand extends AsyncDisposable {
  of: TestServers;
  stand: SessionsStand;
}

/** Once for a file: packages are prepared once. */
export async function packagedFixture(): Promise<PackagedFixture> {
  const registry = await openNpmRegistry();
  const fixture = runtimeFixture({ CAPSTAN_NPM_REGISTRY: registry.url });
  after(async () => {
    await registry.close();
    await fixture[Symbol.asyncDispose]();
  });
  const publish = (name: string, source = SERVER) =>
    registry.publish(name, {
      version: '1.2.3',
      manifest: { bin: 'server.js' },
      files: [{ path: 'server.js', text: source }],
    });
  publish('probe');
  return {
    registry,
    publish,
    prepare: async (identifier) => {
      await using of = openTestServers(fixture);
      const source = { registry_type: 'npm', identifier, version: '1.2.3', file_sha256: '', registry_base_url: '' };
      const start = { package: source, arguments: [], env: {}, secrets: [], hosts: [] };
      const { answer } = await of.servers.through(
        {
          target: { transport: 'stdio', ...start },
          kept: null,
          share: { user_id: null, address: null },
          limits: { timeout_ms: 30_000, max_bytes: 4_000_000 },
          signal: null,
        },
        (session) => session.listTools(),
      );
      assert.ok(answer.ok, JSON.stringify(answer));
      return fixture.deps.data_dir;
    },
    servers: () => {
      const { servers } = openTestServers(fixture);
      return { servers, config: fixture.deps.config, close: servers.close };
    },
    open: async (database, settings) => {
      const of = openTestServers(fixture, settings);
      const stand = await connectionsStand(database, { packaged: of.servers });
      const close = async () => {
        await stand[Symbol.asyncDispose]();
        await of[Symbol.asyncDispose]();
      };
      return { of, stand, [Symbol.asyncDispose]: close };
    },
  };
}

export const LAUNCH = {
  registry_type: 'npm',
  identifier: 'probe',
  version: '1.2.3',
  transport: 'stdio',
  env: [
    { name: 'API_KEY', description: 'Of the service', required: true, secret: true },
    { name: 'UNITS', default: 'metres', choices: ['metres', 'feet'] },
    { name: 'NEEDS_HOST' },
  ],
  package_arguments: [
    { name: '', type: 'positional', value: 'serve' },
    { name: '--port', type: 'named', format: 'number' },
  ],
};
export const FREE = { ...LAUNCH, env: LAUNCH.env.filter(({ name }) => name !== 'API_KEY') };

export const saved = (database: Pick<TestDatabase, 'db'>, external_id: string, ...packages: object[]): Promise<void> =>
  saveServer(database, external_id, { name: 'Probe', packages });

export async function saveServer(
  { db }: Pick<TestDatabase, 'db'>,
  external_id: string,
  { packages, remotes = [], ...words }: { name: string; description?: string; packages: object[]; remotes?: object[] },
): Promise<void> {
  const server = { listing_type: 'server', execution_class: 'mcp', install: { packages, remotes } } as const;
  await db.transaction().execute((trx) =>
    saveListings(trx, 'mcp-registry', [listing('mcp-registry', external_id, { ...server, ...words })], {
      run: 'r',
      now: '2026-01-01T00:00:00.000Z',
      seq: () => nextSeq(trx),
    }),
  );
}

export const connect = (stand: SessionsStand, as: User, external_id: string, more: object = {}) =>
  stand.ask(as, 'POST', PATH, { listing: { provider: 'mcp-registry', external_id }, ...more });

/** What the tool `about` says of the process. */
export async function about(stand: SessionsStand, as: User, id: string) {
  const called = await stand.ask(as, 'POST', `${PATH}/${id}/tools/call`, { tool: 'about' });
  assert.equal(called.status, 200, called.text);
  return { ...JSON.parse(called.body.content[0].text), trace_id: called.body.trace_id };
}

type TestServers = ReturnType<typeof openTestServers>;
export const boxes = async ({ servers }: TestServers) => (await servers.status()).counts.boxes;
export const nothingRuns = (of: TestServers) => until('no box runs', async () => (await boxes(of)) === 0);

/** Events of a stream as `[name, data]`. */
export const eventsOf = (text: string): [string, Record<string, unknown>][] =>
  [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name = '', data = '']) => [name, JSON.parse(data)]);

/** Of all processes of this machine. */
export function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .join('\n');
}

import { readFileSync } from 'node:fs';
import { defined } from '#core/defined.ts';
import { openStdioSession } from '#core/mcp/stdio-session.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import { openRuntime } from '#runtime/packaged/open-runtime.ts';
import type { Runtime } from '#runtime/packaged/runtime.ts';
import type { PackagedServer } from '#runtime/packaged/start-server.ts';
import { runtimeFixture } from '../packages/runtime.ts';

/**
 * `CAPSTAN_NPM_REGISTRY=… [CAPSTAN_PACKAGE_CA=…] npm run soak -- npm-servers [name…]`: real MCP servers of npm. Each is installed in a box at its newest
 * version that is old enough, started in a box without network and with values that mean nothing, asked for its tools, and
 * started again. Prints a Markdown table and the shares. Takes some 15 minutes and 3 GB of a temporary folder.
 */

interface Wanted {
  name: string;
  args?: string[];
  env?: Record<string, string>;
}

interface Row {
  name: string;
  version: string;
  megabytes: number;
  install_s: number;
  /** From the launch of the box to the answer of `tools/list`; null where it did not answer. */
  start_ms: number | null;
  again_ms: number | null;
  tools: number;
  hosts: string[];
  result: string;
}

const LIMITS = { timeout_ms: 60_000, max_bytes: 16 * 1_048_576 };
const SLASH = /\|/g;

const only = process.argv.slice(2);
const all = JSON.parse(readFileSync(new URL('./npm-servers.json', import.meta.url), 'utf8')) as Wanted[];
const wanted = only.length === 0 ? all : only.map((name) => all.find((server) => server.name === name) ?? { name });

const registry = process.env.CAPSTAN_NPM_REGISTRY;
if (registry === undefined) throw new Error('Set CAPSTAN_NPM_REGISTRY to the registry of this machine.');
await using fixture = runtimeFixture({
  CAPSTAN_NPM_REGISTRY: registry,
  ...defined({ CAPSTAN_PACKAGE_CA: process.env.CAPSTAN_PACKAGE_CA }),
});
const { install: _, ...deps } = fixture.deps;
const runtime = await openRuntime(deps);
const rows: Row[] = [];
for (const server of wanted) {
  const row = await tried(runtime, server);
  rows.push(row);
  process.stderr.write(`${row.name}@${row.version}: ${row.result}\n`);
}
const { isolation } = runtime;
await runtime.close();

process.stdout.write(`Held by ${isolation}; Node ${process.version}.\n\n`);
process.stdout.write(
  '| server | version | MB | install, s | start, ms | again, ms | tools | result |\n|---|---|---|---|---|---|---|---|\n',
);
for (const row of rows)
  process.stdout.write(
    `| ${row.name} | ${row.version} | ${row.megabytes.toFixed(0)} | ${row.install_s.toFixed(1)} | ${row.start_ms ?? ''} | ${row.again_ms ?? ''} | ${row.tools} | ${row.result.replace(SLASH, '/')} |\n`,
  );
const installed = rows.filter(({ version, megabytes }) => version !== '' && megabytes > 0);
const started = rows.filter(({ start_ms }) => start_ms !== null);
const times = started.map(({ again_ms }) => again_ms ?? Number.NaN).sort((a, b) => a - b);
process.stdout.write(
  `\n${rows.length} servers: ${installed.length} installed, ${started.length} started without network. A second start: ` +
    `p50 ${times[Math.floor(times.length * 0.5)]} ms, p90 ${times[Math.floor(times.length * 0.9)]} ms.\n`,
);

async function tried(on: Runtime, { name, args = [], env = {} }: Wanted): Promise<Row> {
  const row: Row = {
    name,
    version: '',
    megabytes: 0,
    install_s: 0,
    start_ms: null,
    again_ms: null,
    tools: 0,
    hosts: [],
    result: '',
  };
  const { signal } = new AbortController();
  const source = { registry_type: 'npm', identifier: name, version: 'latest', file_sha256: '', registry_base_url: '' };
  try {
    const ref = await on.pin(source, signal);
    row.version = ref.version;
    const began = performance.now();
    const prepared = await on.prepare(ref, { signal, on_step: () => {} });
    row.install_s = (performance.now() - began) / 1_000;
    row.megabytes = prepared.size_bytes / 1e6;
    for (const field of ['start_ms', 'again_ms'] as const) {
      const from = performance.now();
      const running: PackagedServer[] = [];
      const start = async (ended: AbortSignal) => {
        const egress = { mode: 'none', watch: true } as const;
        const server = await on.start(prepared, { args, env, secrets: [], egress }, ended);
        running.push(server);
        return server;
      };
      const opened = await openStdioSession({ start, limits: LIMITS, on_tools_changed: () => {} }, signal);
      row.hosts = [...new Set(running.flatMap((server) => server.hosts().map(({ host }) => host)))];
      if (!opened.ok) return { ...row, result: said(opened.failure.detail, row.hosts) };
      const listed = await opened.value.work(LIMITS, signal, (session) => session.listTools());
      await opened.value.close();
      if (!listed.ok) return { ...row, result: said(listed.failure.detail, row.hosts) };
      row[field] = Math.round(performance.now() - from);
      row.tools = listed.value.tools.length;
    }
    return { ...row, result: row.hosts.length === 0 ? 'ok' : `ok; wanted ${row.hosts.join(', ')}` };
  } catch (error) {
    if (!(error instanceof Problem) && !isProblem(error, 'runs.unavailable')) throw error;
    return {
      ...row,
      result: `${error.code}${error.reason === undefined ? '' : ` (${error.reason})`}: ${error.message.slice(0, 160)}`,
    };
  }
}

function said(detail: string, hosts: string[]): string {
  return `${detail.replace(/\s+/g, ' ').slice(0, 160)}${hosts.length === 0 ? '' : ` Wanted ${hosts.join(', ')}.`}`;
}

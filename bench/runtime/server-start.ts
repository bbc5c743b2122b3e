import { readdirSync, readFileSync } from 'node:fs';
import type { HeldSession } from '#core/mcp/held-session.ts';
import { openStdioSession, type StdioServer } from '#core/mcp/stdio-session.ts';
import { openRuntime } from '#runtime/packaged/open-runtime.ts';
import { startStdio, stdioProgram } from '#test/fakes/stdio-server.ts';
import { openNpmRegistry } from '#test/packages/npm-registry.ts';
import { runtimeFixture } from '#test/packages/runtime.ts';

/**
 * An MCP server of npm that is installed already, in a box and without one, in the same round: from its launch to the answer
 * of `tools/list`, and a call in a session that is open. Then twenty of them at once, what they hold, and what is left of them.
 * `node bench/runtime/server-start.ts [rounds]`; run it on an idle machine.
 */
const ROUNDS = Number(process.argv[2] ?? 40);
const CALLS = 500;
const AT_ONCE = 20;
const NOW = { name: 'now', inputSchema: { type: 'object' as const } };
const LIMITS = { timeout_ms: 60_000, max_bytes: 16 * 1_048_576 };
const GOALS = 'goals: a start p50 450 and p90 1,200 ms, a call p50 1 and p99 5 ms more, 20 at once 3 s and 600 MB';

const registry = await openNpmRegistry();
registry.publish('clock', {
  version: '1.0.0',
  manifest: { bin: 'server.js' },
  files: [{ path: 'server.js', text: `#!/usr/bin/env node\n${stdioProgram()}` }],
});
await using fixture = runtimeFixture({ CAPSTAN_NPM_REGISTRY: registry.url });
const runtime = await openRuntime(fixture.deps);
const { signal } = new AbortController();
const source = { registry_type: 'npm', identifier: 'clock', version: '1.0.0', file_sha256: '', registry_base_url: '' };
const prepared = await runtime.prepare(await runtime.pin(source, signal), { signal, on_step: () => {} });

const WAYS: Record<string, (ended: AbortSignal) => Promise<StdioServer>> = {
  plain: () => startStdio(stdioProgram()),
  box: (ended) =>
    runtime.start(prepared, { args: [], env: {}, secrets: [], egress: { mode: 'none', watch: true } }, ended),
};

const started = new Map<string, number[]>();
const called = new Map<string, number[]>();
for (let round = -3; round < ROUNDS; round++)
  for (const [name, start] of Object.entries(WAYS)) {
    const from = performance.now();
    const session = await open(start);
    if (round >= 0) note(started, name, performance.now() - from);
    await session.close();
  }

const sessions = new Map<string, HeldSession>();
for (const [name, start] of Object.entries(WAYS)) sessions.set(name, await open(start));
for (let n = -100; n < CALLS; n++)
  for (const [name, session] of sessions) {
    const from = performance.now();
    await callOf(session);
    if (n >= 0) note(called, name, performance.now() - from);
  }
for (const session of sessions.values()) await session.close();

const from = performance.now();
const alike = await Promise.all(Array.from({ length: AT_ONCE }, () => open(WAYS.box as (typeof WAYS)['box'])));
const togetherMs = performance.now() - from;
const held = descendants();
await Promise.all(alike.map((session) => session.close()));
await runtime.close();
const left = descendants();
await registry.close();

console.log(`${runtime.isolation}; ${GOALS}`);
console.table([...rowsOf('tools/list after launch', started), ...rowsOf('call in an open session', called)]);
console.log(
  `${AT_ONCE} at once: ${togetherMs.toFixed(0)} ms, ${held.count} processes with ${(held.bytes / 1e6).toFixed(0)} MB of their own; ` +
    `${left.count} processes left after they were closed.`,
);

async function open(start: (ended: AbortSignal) => Promise<StdioServer>): Promise<HeldSession> {
  const opened = await openStdioSession({ start, limits: LIMITS, on_tools_changed: () => {} }, signal);
  if (!opened.ok) throw new Error(opened.failure.detail);
  await opened.value.work(LIMITS, signal, (session) => session.listTools());
  return opened.value;
}

async function callOf(session: HeldSession): Promise<void> {
  const answer = await session.work(LIMITS, signal, (working) => working.callTool({ tool: NOW, arguments: {} }));
  if (!answer.ok) throw new Error(answer.failure.detail);
}

function note(times: Map<string, number[]>, name: string, ms: number): void {
  times.set(name, [...(times.get(name) ?? []), ms]);
}

function rowsOf(what: string, times: Map<string, number[]>) {
  return [...times].map(([name, values]) => {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] as number).toFixed(2));
    return { what, way: name, 'p50, ms': at(0.5), 'p90, ms': at(0.9), 'p99, ms': at(0.99) };
  });
}

/** Processes that this one has started, and what they hold that they share with no other. */
function descendants(): { count: number; bytes: number } {
  const parents = new Map<string, string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = fileOf(`/proc/${pid}/stat`);
    const [state, parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state !== 'Z') parents.set(pid, parent);
  }
  const isOurs = (pid: string): boolean => {
    for (let at = parents.get(pid); at !== undefined && at !== '0'; at = parents.get(at))
      if (at === `${process.pid}`) return true;
    return false;
  };
  const ours = [...parents.keys()].filter(isOurs);
  const pss = (pid: string) => Number(/^Pss:\s+(\d+) kB/m.exec(fileOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
  return { count: ours.length, bytes: ours.reduce((sum, pid) => sum + pss(pid) * 1_024, 0) };
}

/** Empty where the process has ended. */
function fileOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#core/clock/clock.ts';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { openStdioSession } from '#core/mcp/stdio-session.ts';
import { openBwrapDriver, SMALL_LIMITS } from '#runtime/boxes/bwrap-driver.ts';
import type { Egress } from '#runtime/egress/egress.ts';
import { openNamespaces } from '#runtime/egress/namespaces.ts';
import { openEgressGate } from '#runtime/egress/open-gate.ts';
import { openRuntime } from '#runtime/packaged/open-runtime.ts';
import { removeTree } from '#runtime/packages/tree-store.ts';
import { type Account, accountsOf } from '../accounts.ts';
import { stdioProgram } from '../fakes/stdio-server.ts';
import { freePort } from '../free-port.ts';
import { saved } from '../packaged-stand.ts';
import { openNpmRegistry } from '../packages/npm-registry.ts';
import { openPypiIndex } from '../packages/pypi-index.ts';
import { runtimeFixture } from '../packages/runtime.ts';
import { capstand, freshDir } from '../process/capstand.ts';
import type { World } from '../world.ts';

/**
 * `npm run soak -- runtime [seconds for each attack [attack…]]`: packages in boxes of a real `capstand serve`, within five minutes.
 * Tiny packages of loopback registries start, twenty at once, misbehave in several ways while another user calls a tool, and are
 * left behind by a SIGKILL of the service. With names of attacks, only those are made. Prints a Markdown table, and writes nothing
 * outside its temporary folder.
 */
const [attackText = '10', ...chosen] = process.argv.slice(2);
const attackS = Number(attackText);
const BOXES = 60;
const STARTS = 15;
const AT_ONCE = 20;
const IDLE_S = 3;
const TICK_MS = 20;
/** A call that does not end is answered by the service then; its box stays. */
const CALL_MS = attackS * 1_000;
const CONNECTIONS = '/api/sessions/connections';
const LIMITS = { timeout_ms: 60_000, max_bytes: 16 * 1_048_576 };

const id = randomBytes(4).toString('hex');
const names = {
  calm: `soak-calm-${id}`,
  hostile: `soak-hostile-${id}`,
  list: `soak-list-${id}`,
  python: `soak-py-${id}`,
};

/** What each tool does instead of answering. The first three are ended by a limit of the box, the others by one of the service. */
const ATTACKS: Record<string, { what: string; source: string }> = {
  memory: { what: 'memory bomb', source: 'const kept = []; for (;;) kept.push(Buffer.alloc(4194304, 1));' },
  forks: {
    what: 'fork bomb',
    // A shell ends when it cannot fork; Python can try again.
    source: `require('node:child_process').spawn(
        '/usr/bin/python3',
        ['-c', 'import os\\nwhile True:\\n  try: os.fork()\\n  except OSError: pass'],
        { stdio: 'ignore' });`,
  },
  disk: {
    what: 'disk fill, again and again',
    source: `const fs = require('node:fs');
      setInterval(() => {
        try {
          for (let n = 0; ; n++) fs.writeFileSync('/tmp/' + n, Buffer.alloc(1048576, 1));
        } catch {
          for (const name of fs.readdirSync('/tmp')) try { fs.unlinkSync('/tmp/' + name); } catch {}
        }
      }, 0);`,
  },
  output: { what: 'output without a line end', source: `for (;;) require('node:fs').writeSync(1, 'x'.repeat(65536));` },
  errors: { what: 'standard error flood', source: `for (;;) require('node:fs').writeSync(2, 'x'.repeat(65536));` },
  messages: {
    what: 'notification flood',
    source: `const line = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\\n'.repeat(500);
      for (;;) require('node:fs').writeSync(1, line);`,
  },
};

/** Node's pipes do not block, and a write that nobody reads would fail. */
const withTools = `process.stdout._handle?.setBlocking?.(true);
  const attacks = { ${Object.entries(ATTACKS)
    .map(([name, { source }]) => `${name}: () => { ${source} }`)
    .join(', ')} };`;
const HOSTILE = `#!/usr/bin/env node\n${stdioProgram(withTools)
  .replace("['now', 'sleep', 'die']", "['now', ...Object.keys(attacks)]")
  .replace(
    "if (name === 'die')",
    'if (attacks[name] !== undefined) return attacks[name]();\n      if (name === "die")',
  )}`;
/** Its list of tools is one message of 100 MB. */
const LIST = `#!/usr/bin/env node\n${stdioProgram()
  .replace(
    "'tools/list': () => ({ tools })",
    `'tools/list': () => ({ tools: Array.from({ length: 100_000 }, (_, n) => ({ name: 't' + n, description: 'x'.repeat(950), inputSchema: { type: 'object' } })) })`,
  )
  .replace('process.stdout.write(', "require('node:fs').writeSync(1, ")}`;

/** Line-based JSON-RPC of the standard library alone: not the `mcp` package, whose import takes most of a start. */
const PYTHON = `import json, sys
TOOLS = [{"name": "now", "inputSchema": {"type": "object"}}]
def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "clock", "version": "1"}}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": "noon"}]}
    return None
def main():
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = answer(message["method"], message.get("params") or {})
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        reply.update({"result": result} if result is not None else {"error": {"code": -32601, "message": "unknown method"}})
        sys.stdout.write(json.dumps(reply) + "\\n")
        sys.stdout.flush()
`;

interface Row {
  what: string;
  measured: string;
  goal: string;
}
const rows: Row[] = [];
function row(what: string, measured: string, goal = ''): void {
  rows.push({ what, measured, goal });
  process.stderr.write(`${what}: ${measured}\n`);
}

const began = performance.now();
const loadBefore = loadavg()[0] ?? 0;
const dir = realpathSync(await freshDir());
const [data, temp] = [join(dir, 'data'), join(dir, 'tmp')];
await Promise.all([data, temp].map((path) => mkdir(path)));
/** Also where a step fails, none stays. */
const services: ReturnType<typeof capstand>[] = [];
const [npm, pypi] = [await openNpmRegistry(), await openPypiIndex()];

/** A bare box, with and without egress by name in the same round. */
async function boxesAndEgress(): Promise<void> {
  const namespaces = openNamespaces({ spares: 1 });
  const driver = await openBwrapDriver({
    openGate: (egress) => openEgressGate(egress, { namespaces, guard: { allow_loopback: true } }),
  });
  if (driver.isolation === null) throw new Error((await driver.selfTest()).text);
  const start = async (egress: Egress): Promise<number> => {
    const from = performance.now();
    const order = {
      argv: ['/usr/bin/true'],
      env: {},
      cwd: '/tmp',
      mounts: [],
      disk: null,
      limits: SMALL_LIMITS,
      egress,
    };
    const box = await driver.start(order);
    const startedMs = performance.now() - from;
    box.stdout.resume();
    await box.gone;
    return startedMs;
  };
  const granted: Egress = { mode: 'allow', hosts: [{ host: 'api.example.com', ports: [443], plain: false }] };
  const [bare, gated]: [number[], number[]] = [[], []];
  for (let round = -3; round < BOXES; round++) {
    const bareMs = await start({ mode: 'none', watch: false });
    await namespaces.ready();
    const gatedMs = await start(granted);
    if (round < 0) continue;
    bare.push(bareMs);
    gated.push(gatedMs);
  }
  row('a box until its program runs', `p50 ${at(bare, 0.5)}, p99 ${at(bare, 0.99)} ms`, 'p50 30, p99 80 ms');
  row(
    'added by egress by name, with a spare namespace',
    `p50 ${(at(gated, 0.5) - at(bare, 0.5)).toFixed(1)} ms`,
    'p50 60 ms',
  );
  await driver.close();
  await namespaces.close();
}

/** Fills the store of the service. Its own installations could not reach a registry on loopback. */
async function prepareAll(): Promise<void> {
  const release = (text: string) => ({
    version: '1.0.0',
    manifest: { bin: 'server.js' },
    files: [{ path: 'server.js', text }],
  });
  npm.publish(names.calm, release(`#!/usr/bin/env node\n${stdioProgram()}`));
  npm.publish(names.hostile, release(HOSTILE));
  npm.publish(names.list, release(LIST));
  pypi.publish(names.python, {
    version: '1.0.0',
    scripts: { [names.python]: 'soak_clock:main' },
    files: [{ path: 'soak_clock.py', bytes: PYTHON }],
  });
  await using fixture = runtimeFixture({ CAPSTAN_NPM_REGISTRY: npm.url, CAPSTAN_PYPI_INDEX: pypi.url });
  const runtime = await openRuntime({ ...fixture.deps, data_dir: data });
  const { signal } = new AbortController();
  const source = (identifier: string, registry_type = 'npm') => ({
    registry_type,
    identifier,
    version: '1.0.0',
    file_sha256: '',
    registry_base_url: '',
  });
  const prepare = async (identifier: string, type?: string) =>
    runtime.prepare(await runtime.pin(source(identifier, type), signal), { signal, on_step: () => {} });
  const calm = await prepare(names.calm);
  await prepare(names.hostile);
  await prepare(names.list);
  const python = await prepare(names.python, 'pypi');
  for (const [what, prepared, goal] of [
    ['an installed npm server, from its launch to its tools', calm, 'p50 450, p90 1,200 ms'],
    ['an installed Python server (standard library only) likewise', python, '1,000 ms with the mcp package'],
  ] as const) {
    const times: number[] = [];
    for (let round = -1; round < (chosen.length === 0 ? STARTS : 0); round++) {
      const from = performance.now();
      const start = (ended: AbortSignal) =>
        runtime.start(prepared, { args: [], env: {}, secrets: [], egress: { mode: 'none', watch: true } }, ended);
      const opened = await openStdioSession({ start, limits: LIMITS, on_tools_changed: () => {} }, signal);
      if (!opened.ok) throw new Error(opened.failure.detail);
      const listed = await opened.value.work(LIMITS, signal, (session) => session.listTools());
      if (!listed.ok) throw new Error(listed.failure.detail);
      if (round >= 0) times.push(performance.now() - from);
      await opened.value.close();
    }
    row(what, `p50 ${at(times, 0.5)}, p90 ${at(times, 0.9)} ms`, goal);
  }
  await runtime.close();
}

interface Owner {
  token: string;
  connection: string;
}

async function wholeService(): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const accounts = await fillDatabase(url);
  const env = {
    DATA_DIR: data,
    TMPDIR: temp,
    PORT: `${port}`,
    PUBLIC_URL: url,
    CAPSTAN_NPM_REGISTRY: npm.url,
    CAPSTAN_RUNTIME_IDLE: `${IDLE_S}s`,
    CAPSTAN_LIMIT_CONNECT: '100000/1m',
  };
  const service = capstand(['serve'], env);
  services.push(service);
  await service.url();
  const pid = service.child.pid as number;
  const ask = askAt(url);

  const [user, attacker, lister, ...others] = accounts as [Account, Account, Account, ...Account[]];
  if (chosen.length > 0)
    return attacks(pid, ask, await connect(ask, user, names.calm), await connect(ask, attacker, names.hostile));
  const owners: Owner[] = [];
  for (const account of others.slice(0, AT_ONCE)) owners.push(await connect(ask, account, names.calm));
  await untilNone(pid);
  await manyAtOnce(ask, pid, owners);
  await attacks(pid, ask, await connect(ask, user, names.calm), await connect(ask, attacker, names.hostile));

  const from = performance.now();
  const refused = await ask(lister.token, 'POST', CONNECTIONS, { listing: listingOf(names.list) });
  const why = `${refused.body.status ?? refused.status}: ${refused.body.last_error?.detail ?? refused.body.detail ?? ''}`;
  row('a list of tools of 100 MB', `refused after ${seconds(performance.now() - from)} (${why.slice(0, 160)})`);

  await killService({ ask, service, env, owners: owners.slice(0, 8) });
}

/** Listings and accounts, as long as no service has the database. */
async function fillDatabase(url: string): Promise<Account[]> {
  const database = await openDatabase({ engine: 'sqlite', path: join(data, 'capstan.db'), thread: 'same' });
  await migrate(database);
  for (const name of [names.calm, names.hostile, names.list])
    await saved(database, `com.example/${name}`, {
      registry_type: 'npm',
      identifier: name,
      version: '1.0.0',
      transport: 'stdio',
    });
  const { signUp } = await accountsOf({ database, data_dir: data } as World, systemClock, url);
  const accounts: Account[] = [];
  for (let n = 0; n < AT_ONCE + 3; n++) accounts.push(await signUp());
  await database.close();
  return accounts;
}

const listingOf = (name: string) => ({ provider: 'mcp-registry', external_id: `com.example/${name}` });

type Ask = ReturnType<typeof askAt>;

function askAt(url: string) {
  return async (token: string, method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.text();
    // biome-ignore lint/suspicious/noExplicitAny: any operation of the service
    return { status: answer.status, body: (text.startsWith('{') ? JSON.parse(text) : { text }) as any };
  };
}

async function connect(ask: Ask, { token }: Account, name: string): Promise<Owner> {
  const { body } = await ask(token, 'POST', CONNECTIONS, { listing: listingOf(name) });
  if (body.status !== 'ready') throw new Error(JSON.stringify(body));
  return { token, connection: body.id };
}

const call = (ask: Ask, { token, connection }: Owner, tool: string) =>
  ask(token, 'POST', `${CONNECTIONS}/${connection}/tools/call`, { tool, timeout_ms: CALL_MS });

async function calm(ask: Ask, owner: Owner): Promise<void> {
  const { status, body } = await call(ask, owner, 'now');
  if (status !== 200) throw new Error(`a calm call failed: ${JSON.stringify(body)}`);
}

/** The packages are installed, and no box runs. */
async function manyAtOnce(ask: Ask, pid: number, owners: readonly Owner[]): Promise<void> {
  const from = performance.now();
  await Promise.all(owners.map((owner) => calm(ask, owner)));
  const togetherMs = performance.now() - from;
  const held = boxesOf(pid);
  const bytes = held.reduce((sum, process) => sum + pssOf(process), 0);
  row(`${AT_ONCE} users call alike servers at once`, seconds(togetherMs), '3 s');
  row('memory of those boxes', `${(bytes / 1e6).toFixed(0)} MB in ${held.length} processes`, '600 MB');
  const idleFrom = performance.now();
  await untilNone(pid);
  row(
    `processes of boxes after the last call, with an idle time of ${IDLE_S} s`,
    `0 after ${seconds(performance.now() - idleFrom)}`,
    '0',
  );
}

/** What another user and a health check wait meanwhile, against before. */
async function attacks(pid: number, ask: Ask, user: Owner, attacker: Owner): Promise<void> {
  await calm(ask, user);
  const before = await probes(ask, user, sleep(attackS * 2_000));
  row('a call of another user, without attacks', shownTimes(before.calls));
  row('a health check, without attacks', shownTimes(before.health));
  const made = Object.entries(ATTACKS).filter(([name]) => chosen.length === 0 || chosen.includes(name));
  for (const [tool, { what }] of made) {
    // A box whose call was given up ends after its idle time.
    while (named(names.hostile).length > 0) await sleep(50);
    await call(ask, attacker, 'now');
    await calm(ask, user);
    const ends: number[] = [];
    const said = new Set<string>();
    const repeated = async (): Promise<void> => {
      const until = performance.now() + attackS * 1_000;
      do {
        const from = performance.now();
        const { status, body } = await call(ask, attacker, tool);
        ends.push(performance.now() - from);
        said.add(status === 504 ? `still running after ${seconds(CALL_MS)}` : `${body.detail ?? status}`.slice(0, 120));
      } while (performance.now() < until);
    };
    const usedBefore = processorSeconds(pid);
    const during = await probes(ask, user, repeated());
    const used = processorSeconds(pid).map((total, index) => (total - (usedBefore[index] ?? 0)).toFixed(1));
    const [first = Number.NaN] = ends;
    const ratio = (times: number[], base: number[]) => (at(times, 0.99) / at(base, 0.99)).toFixed(1);
    row(
      `${what}, ${ends.length} times`,
      `first answer after ${seconds(first)}: ${[...said].join(' ')} Calls of another user ${shownTimes(during.calls)} ` +
        `(p99 ${ratio(during.calls, before.calls)} times); health ${shownTimes(during.health)} (p99 ${ratio(during.health, before.health)} times). ` +
        `Processor time: ${used[0]} s of the service, ${used[1]} s of boxes that ended`,
      tool === 'memory' ? '2 s; p99 2 times' : 'p99 2 times',
    );
  }
}

const TICKS = 100;

/** Of the service, and of all its children that have ended. */
function processorSeconds(pid: number): [number, number] {
  const stat = textOf(`/proc/${pid}/stat`);
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  return [(user + system) / TICKS, (endedUser + endedSystem) / TICKS];
}

async function probes(ask: Ask, user: Owner, meanwhile: Promise<void>) {
  const ended = { now: false };
  const again = async (work: () => Promise<unknown>): Promise<number[]> => {
    const times: number[] = [];
    while (!ended.now) {
      const from = performance.now();
      await work();
      times.push(performance.now() - from);
      await sleep(TICK_MS);
    }
    return times;
  };
  const [calls, health] = [again(() => calm(ask, user)), again(() => ask('', 'GET', '/healthz'))];
  await meanwhile;
  ended.now = true;
  return { calls: await calls, health: await health };
}

interface Killing {
  ask: Ask;
  service: ReturnType<typeof capstand>;
  env: Record<string, string>;
  owners: Owner[];
}

/** Without a goodbye: nothing of its boxes may stay, and what it left in folders goes with the next start. */
async function killService({ ask, service, env, owners }: Killing): Promise<void> {
  await Promise.all(owners.map((owner) => calm(ask, owner)));
  const running = boxesOf(service.child.pid as number);
  const traces = () => [...readdirSync(temp).map((name) => `tmp/${name}`), ...leftIn(data), ...groups(), ...mounts()];
  const from = performance.now();
  service.child.kill('SIGKILL');
  while (running.some(isAlive) || named().length > 0) {
    if (performance.now() - from > 30_000) break;
    await sleep(5);
  }
  const left = running.filter(isAlive).length + named().length;
  row(
    `SIGKILL of the service with ${running.length} processes in ${owners.length} boxes`,
    left === 0 ? `0 left after ${seconds(performance.now() - from)}` : `${left} left after 30 s`,
    '0 after 1 s',
  );
  await service.ended;
  const behind = traces();
  const next = capstand(['serve'], env);
  services.push(next);
  await next.url();
  await Promise.all(owners.slice(0, 1).map((owner) => calm(ask, owner)));
  next.child.kill('SIGTERM');
  await next.ended;
  const still = traces().filter((name) => behind.includes(name));
  row(
    'mounts, groups and temporary folders of boxes left behind by it, after the next start',
    `${behind.length} before, ${still.length} after${still.length === 0 ? '' : `: ${still.slice(0, 5).join(', ')}`}`,
    '0',
  );
}

/** Folders of single boxes and unfinished preparations, not the store itself. */
const leftIn = (folder: string): string[] =>
  ['native', 'box-files', 'packages/work', 'packages/tmp'].flatMap((name) => {
    try {
      return readdirSync(join(folder, name)).map((entry) => `${name}/${entry}`);
    } catch {
      return [];
    }
  });

const groups = (): string[] =>
  /capstan-box-[\w-]+/g[Symbol.match](textOf('/proc/self/mountinfo') + readdirSync('/sys/fs/cgroup').join(' ')) ?? [];

const mounts = (): string[] =>
  textOf('/proc/self/mountinfo')
    .split('\n')
    .filter((line) => line.includes(dir));

interface Process {
  pid: string;
  /** A number is used again; with its start time it is one process. */
  began: string;
}

/** Bubblewrap and everything below it, of this service. */
function boxesOf(service: number): Process[] {
  const all = new Map(processes().map((process) => [process.pid, process]));
  const inBox = (pid: string): boolean => {
    let seen = false;
    for (let process = all.get(pid); process !== undefined; process = all.get(process.parent)) {
      if (process.pid === `${service}`) return seen;
      seen ||= process.name === 'bwrap';
    }
    return false;
  };
  return [...all.values()].filter(({ pid }) => inBox(pid));
}

/** Of any parent: what a box runs has the name of its package in its command. */
const named = (part = id): Process[] =>
  processes().filter(({ pid }) => textOf(`/proc/${pid}/cmdline`).includes(part) && pid !== `${process.pid}`);

function processes(): (Process & { parent: string; name: string })[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(textOf(`/proc/${pid}/stat`)) ?? [];
      const fields = rest.split(' ');
      const [state = 'Z', parent = ''] = fields;
      return state === 'Z' ? [] : [{ pid, parent, name, began: fields[19] ?? '' }];
    });
}

function isAlive({ pid, began: since }: Process): boolean {
  const [, rest = 'Z'] = textOf(`/proc/${pid}/stat`).split(') ');
  return !rest.startsWith('Z') && rest.split(' ')[19] === since;
}

async function untilNone(service: number): Promise<void> {
  while (boxesOf(service).length > 0) await sleep(50);
}

/** What it has that it shares with no other, in bytes. */
const pssOf = ({ pid }: Process): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1_024;

/** Empty where the process has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1));
}

const shownTimes = (times: readonly number[]): string => `p50 ${at(times, 0.5)}, p99 ${at(times, 0.99)} ms`;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

try {
  if (chosen.length === 0) await boxesAndEgress();
  await prepareAll();
  await wholeService();
} finally {
  for (const { child, ended } of services) {
    child.kill('SIGKILL');
    await ended;
  }
  await Promise.all([npm.close(), pypi.close()]);
  removeTree(data);
  await rm(dir, { recursive: true, force: true });
}
const took = ((performance.now() - began) / 1_000).toFixed(0);
const load = [loadBefore, loadavg()[0] ?? 0].map((value) => value.toFixed(1)).join(' before, ');
process.stdout.write(
  `Node ${process.version}, ${availableParallelism()} processors, load ${load} after, ${took} s.\n\n`,
);
process.stdout.write('| what | measured | goal |\n|---|---|---|\n');
for (const { what, measured, goal } of rows) process.stdout.write(`| ${what} | ${measured} | ${goal} |\n`);

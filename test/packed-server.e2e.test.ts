import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { nodesHere, packServer, ROOT } from './packed.ts';
import { until } from './until.ts';

/**
 * The server's tarball in an empty folder, on every Node of this machine. No registry is asked: what npm would install is linked from
 * the repository. `npm run soak -- packages` installs it from the registry.
 */

const run = promisify(execFile);
const dir = await mkdtemp(join(tmpdir(), 'capstan-server-'));
after(() => rm(dir, { recursive: true, force: true }));

const user = join(dir, 'user');
const modules = join(user, 'node_modules');
const server = join(modules, 'capstan');
const manifest = await unpack();
await install(manifest);
const nodes = (await nodesHere()).filter(({ version }) => Number.parseInt(version, 10) >= 20);

interface Manifest {
  bin: { capstand: string };
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

async function unpack(): Promise<Manifest> {
  await mkdir(server, { recursive: true });
  await run('tar', ['xzf', await packServer(dir), '--strip-components=1', '-C', server]);
  return manifestOf(server);
}

/** Links every package that the manifest names. Scripts may read no links, so the packages of their shell are copied. */
async function install({ dependencies, optionalDependencies }: Manifest): Promise<void> {
  const copied = await shellPackages();
  const here = new Set(await readdir(join(ROOT, 'node_modules')));
  const platforms = Object.keys(optionalDependencies).filter((name) => here.has(name));
  assert.equal(platforms.length, 1, 'one package brings Node for this platform');
  for (const name of new Set([...Object.keys(dependencies), ...platforms, ...copied])) {
    const [from, to] = [join(ROOT, 'node_modules', name), join(modules, name)];
    await mkdir(dirname(to), { recursive: true });
    await (copied.has(name) ? cp(from, to, { recursive: true }) : symlink(from, to));
  }
}

async function shellPackages(): Promise<Set<string>> {
  const found = new Set<string>();
  const nested = join(server, 'node_modules/just-bash/node_modules');
  const outside = new Set(await readdir(nested));
  const waiting = Object.keys((await manifestOf(join(server, 'node_modules/just-bash'))).dependencies);
  for (const name of waiting) {
    if (found.has(name) || outside.has(name)) continue;
    found.add(name);
    waiting.push(...Object.keys((await manifestOf(join(ROOT, 'node_modules', name))).dependencies ?? {}));
  }
  return found;
}

const program = join(server, manifest.bin.capstand);
const environment = (data: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: dir,
  DATA_DIR: join(dir, data),
  CAPSTAN_PROVIDERS: 'off',
});

test('the server tarball has no native modules, no tests and no TypeScript sources of the service', async () => {
  const files = await readdir(server, { recursive: true });
  assert.deepEqual(
    files.filter((path) => path.endsWith('.node') || path.includes('.test.')),
    [],
  );
  assert.deepEqual(
    files.filter((path) => /^(?:src|web)\/.*\.ts$/.test(path)),
    [],
  );
  for (const needed of ['LICENSE', 'openapi.yaml', 'docs/errors/http.internal.md', 'node_modules/just-bash/LICENSE'])
    assert.ok(files.includes(needed), needed);
  const standIns = await readdir(join(server, 'node_modules/@mongodb-js/zstd'));
  assert.deepEqual(standIns, ['package.json']);
});

for (const { node, version } of nodes) {
  test(`started with Node ${version}, the server runs on its bundled Node and exits with 0 on SIGTERM`, async () => {
    const port = await freePort();
    const env = { ...environment(`serve-${version}`), PORT: `${port}` };
    const child = spawn(node, [program, 'serve'], { cwd: user, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    child.stderr.on('data', (chunk) => (log += chunk));
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const ask = (path: string, accept = '*/*') => fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept } });
    await until(
      'the server is ready',
      async () => child.exitCode !== null || (await ask('/readyz').catch(() => null))?.status === 200,
    );
    assert.equal(child.exitCode, null, log);
    assert.match(await (await ask('/', 'text/html')).text(), /<title>/);
    assert.match(await (await ask('/docs/errors/http.internal')).text(), /http\.internal/);
    child.kill('SIGTERM');
    assert.equal(await ended, 0, log);
    await assert.rejects(ask('/readyz'));
  });
}

// Every Node starts the same program on the bundled one, so one of them is enough.
test('capstand runs a skill in the sandbox', async () => {
  const args = [program, 'run', 'skill/json-diff', '--example'];
  const { stdout } = await run(nodes[0]?.node as string, args, { cwd: user, env: environment('run') });
  assert.match(stdout, /"op"/);
});

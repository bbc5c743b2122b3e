import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { hasEngine, openContainerDriver } from '../../src/runtime/boxes/container-driver.ts';
import { verifyBundle } from '../../src/runtime/receipts/bundle.ts';
import { CACHED_ENV } from '../../test/cached-env.ts';
import { freePort } from '../../test/free-port.ts';
import { commandLines, LAUNCH, packagedFixture, saved } from '../../test/packaged-stand.ts';
import { bundleOf, openBundleServer } from '../../test/packages/bundles.ts';
import { noPackagesHere, onHost, rememberSelfTest } from '../../test/packages/runtime.ts';
import { npmCliHere } from '../../test/packages/store.ts';
import { until } from '../../test/until.ts';
import { openWorld } from '../../test/world.ts';
import { openStand } from './stand.ts';
import { typing } from './typing.ts';

/** `--local` with packages of a loopback registry in real boxes, and listings of the real service. */

const skip = await noPackagesHere();
const { registry, publish } = await packagedFixture();
publish('interrupted');
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const service = await openWorld({ PORT: `${port}`, PUBLIC_URL: url }, 'serve');
await service.listen();
await saved(service.database, 'com.example/probe', LAUNCH);
const LISTENING = `#!/usr/bin/env node
  const results = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'web', version: '1' },
    }),
    'tools/list': () => ({ tools: [{ name: 'where', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'at a port' }] }),
  };
  require('node:http').createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk)).on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method, params } = JSON.parse(body);
      if (id === undefined) return response.writeHead(202).end();
      const result = results[method]?.(params);
      const answer = result === undefined ? { error: { code: -32601, message: 'no ' + method } } : { result };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  }).listen(3000, '127.0.0.1');`;
publish('listening', LISTENING);
const http = { transport: 'streamable-http', endpoint: { url: 'http://localhost:3000/mcp' } };
await saved(service.database, 'com.example/listening', { ...LAUNCH, ...http, identifier: 'listening', env: [] });
// Not among the temporary files of tests, which may be in /dev/shm: a box has its own /dev.
const stand = await openStand(url, '/tmp');
const other = await openStand(url);
await rememberSelfTest(stand.home);
after(async () => {
  await stand[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await service.close();
});

/** The protocol of a server with one tool, seen. */
const BUNDLED = `
    const answers = {
      initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } }),
      'tools/list': () => ({ tools: [{ name: 'seen', inputSchema: { type: 'object' } }] }),
      'tools/call': () => ({ content: [{ type: 'text', text: JSON.stringify(seen()) }] }),
    };
    require('node:readline').createInterface(process.stdin).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      const result = answers[method]?.(params);
      const answer = result === undefined ? { error: { code: -32601, message: 'no' } } : { result };
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
    }).on('close', () => process.exit(0));`;
const PURL = 'pkg:npm/probe@1.2.3';
const { home } = stand;
const env = { CAPSTAN_NPM_REGISTRY: registry.url, CAPSTAN_NPM_CLI: npmCliHere() ?? '' };
const local = { install: onHost };

const call = (args: readonly string[], more: Parameters<typeof stand.call>[1] = {}) =>
  stand.call(args, { ...more, env: { ...env, ...more.env }, local });

async function json<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await call(args);
  assert.equal(code, 0, err);
  return JSON.parse(out) as T;
}

interface Ran {
  id: string;
  status: string;
  output: Record<string, unknown>;
  package: { purl: string; tree_sha256: string };
  isolation: string;
  receipt: string;
}

const stateOf = (...path: string[]): string => join(home, '.local/state/capstan/local', ...path);
const told = (err: string) => JSON.parse(err.trim().split('\n').at(-1) as string).error;

test('run --local runs a package in a box without an account, and signs the receipt with a local key', {
  skip,
}, async () => {
  const listed = await json<Ran>('run', '--local', PURL);
  assert.deepEqual(
    (listed.output.tools as { name: string }[]).map(({ name }) => name),
    ['about', 'fetch', 'slow', 'ask', 'die'],
  );
  const ran = await json<Ran>('run', '--local', PURL, '--tool', 'about', '--var', 'UNITS=feet', '--receipt', 'r.json');
  assert.deepEqual([ran.status, ran.output.units, ran.package.purl], ['completed', 'feet', PURL]);
  assert.match(ran.isolation, /^bwrap/);
  const remembered = await stat(join(home, '.cache/capstan/local/self-test.json'));
  assert.equal(remembered.mode & 0o777, 0o600);

  const key = join(home, '.config/capstan/local-key.json');
  assert.equal((await stat(key)).mode & 0o777, 0o600);
  const bundle = JSON.parse(await readFile(join(home, 'r.json'), 'utf8'));
  const verified = verifyBundle(bundle);
  assert.ok(verified.consistent);
  const { predicate, subject } = verified.statement;
  assert.ok('signer' in predicate && predicate.signer === 'local_key');
  assert.deepEqual([subject[0]?.name, subject[0]?.digest.sha256], [`package/${PURL}`, ran.package.tree_sha256]);
  assert.equal(verified.index, 1, 'the second of the log');

  const own = await call(['verify', 'r.json', '--text']);
  assert.equal(own.code, 0, own.err);
  assert.match(own.out, /Signed by the local key that you trust, not by a service/);
  assert.match(own.out, /does not prove +that the run took place/);
  await writeFile(join(other.home, 'r.json'), JSON.stringify(bundle));
  const elsewhere = await other.call(['verify', 'r.json']);
  assert.equal(elsewhere.code, 3);
  assert.match(told(elsewhere.err).detail, /Signed by a local key, not by a service/);
  const { out } = await call(['local', 'key']);
  await writeFile(join(other.home, 'key.json'), out);
  assert.equal((await other.call(['verify', 'r.json', '--key', 'key.json'])).code, 0);
  const pinned = await other.call(['verify', 'r.json', '--issuer', url]);
  assert.equal(pinned.code, 1, 'no receipt of the service');
  assert.equal(told(pinned.err).code, 'receipt.refused');
  const answer = await fetch(`${url}/api/receipts/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bundle),
  });
  const theirs = (await answer.json()) as { valid: boolean; detail: string };
  assert.equal(theirs.valid, false);
  assert.match(theirs.detail, /Signed by a local key, not by a service/);

  await chmod(key, 0o644);
  const open = await call(['local', 'key']);
  await chmod(key, 0o600);
  assert.equal(open.code, 1);
  assert.match(told(open.err).fix, /chmod 600/);
});

test('run --local takes values and secrets of a listing, and never prints or stores the secrets', {
  skip,
}, async () => {
  const secret = 'very-secret-value-1';
  await stand.write('key.txt', `${secret}\n`);
  const listing = ['run', '--local', 'mcp-registry/com.example/probe', '--tool', 'about'];
  const ran = await json<Ran>(...listing, '--secret', 'API_KEY=@key.txt', '--var', '--port=8080');
  assert.deepEqual([ran.output.args, ran.output.units], [['serve', '--port', '8080'], 'metres']);
  assert.ok(!JSON.stringify(ran).includes(secret), 'the answer of the tool names it, and is redacted');
  const piped = await call([...listing, '--secret', 'API_KEY=-', '--text'], { stdin: secret });
  assert.equal(piped.code, 0, piped.err);
  for (const folder of ['runs', 'receipts'])
    for (const name of await readdir(stateOf(folder)))
      assert.ok(!(await readFile(stateOf(folder, name), 'utf8')).includes(secret), `${folder}/${name}`);

  const refused: [string[], RegExp, RegExp][] = [
    [[], /Missing: API_KEY/, /--secret API_KEY=@file/],
    [['--secret', `API_KEY=${secret}`], /would show the value/, /@file/],
    [['--var', `API_KEY=${secret}`], /API_KEY is a secret/, /--secret/],
    [['--secret', 'API_KEY=@key.txt', '--var', 'NOTHING=1'], /no value named NOTHING/, /UNITS/],
    [['--secret', 'API_KEY=@key.txt', '--var', 'UNITS=miles'], /UNITS must be one of metres, feet/, /UNITS/],
    [['--secret', 'API_KEY=@key.txt', '--host', 'http://x'], /must be a host name/, /--host/],
    [['--secret', 'API_KEY=@nowhere.txt'], /Cannot read/, /existing file/],
    [['--package', '4', '--secret', 'API_KEY=@key.txt'], /none with the index 4/, /from 0/],
  ];
  for (const [args, detail, fix] of refused) {
    const { code, err } = await call([...listing, ...args]);
    assert.equal(code, 2, err);
    assert.match(told(err).detail, detail);
    assert.match(told(err).fix, fix);
    assert.ok(!err.includes(secret), err);
  }
});

test('run --local names the host to grant, and reports unknown packages and tools', { skip }, async () => {
  const failed = await call(['run', '--local', PURL, '--var', 'NEEDS_HOST=api.example.com']);
  assert.equal(failed.code, 1);
  assert.match(told(failed.err).detail, /api\.example\.com/);
  assert.match(told(failed.err).fix, /--host api\.example\.com/);
  const granted = ['--tool', 'fetch', '--input', '{"host":"nothing.invalid"}', '--host', 'nothing.invalid', '--text'];
  const unresolved = await call(['run', '--local', PURL, ...granted]);
  assert.equal(unresolved.code, 0, unresolved.err);
  assert.match(unresolved.err, /hosts refused +nothing\.invalid \(\w+\)/);
  const gone = await call(['run', '--local', 'pkg:npm/no-such-package@1.0.0']);
  assert.equal(gone.code, 3, gone.err);
  assert.match(told(gone.err).code, /^packages\./);
  const tool = await call(['run', '--local', PURL, '--tool', 'nothing']);
  assert.equal(tool.code, 3);
  assert.match(told(tool.err).detail, /no tool nothing\. It has: about, fetch, slow, ask, die/);
  for (const wrong of ['pkg:cargo/x@1', 'json-diff', 'a b'])
    assert.equal((await call(['run', '--local', wrong])).code, 2, wrong);
});

test('run --local of a bundle asks for its settings, and shows it the given folder read-only', { skip }, async () => {
  const source = `
    const fs = require('node:fs');
    const attempt = (work) => { try { return work(); } catch ({ code }) { return code; } };
    const [dir, ...more] = process.argv.slice(2);
    const seen = () => [dir, more, attempt(() => fs.readFileSync(dir + '/note.txt', 'utf8')), attempt(() => fs.writeFileSync(dir + '/new', 'x')), attempt(() => fs.readdirSync(dir + '/..').length), process.env.UNITS];
    ${BUNDLED}`;
  const mcp_config = {
    command: 'node',
    args: [`\${__dirname}/server/index.js`, `\${user_config.place}`, `\${user_config.more}`],
    env: { UNITS: `\${user_config.units}` },
  };
  const bytes = bundleOf({
    server: { type: 'node', entry_point: 'server/index.js', mcp_config },
    files: [{ path: 'server/index.js', bytes: source }],
    more: {
      user_config: {
        more: { type: 'directory', multiple: true, default: [`\${HOME}/Shared`, `\${DOCUMENTS}`] },
        place: { type: 'directory', required: true },
        units: { type: 'string', default: 'metres' },
      },
    },
  });
  const bundles = await openBundleServer();
  bundles.served.set('/notes.mcpb', bytes);
  const file_sha256 = createHash('sha256').update(bytes).digest('hex');
  const identifier = `${bundles.origin}/notes.mcpb`;
  const more = { registry_type: 'mcpb', identifier, version: '', file_sha256, package_arguments: [], env: [] };
  await saved(service.database, 'com.example/notes', { ...LAUNCH, ...more });
  for (const folder of ['notes', 'Shared']) await mkdir(join(home, folder), { recursive: true });
  await writeFile(join(home, 'notes/note.txt'), 'mine');
  const run = (...args: string[]) =>
    stand.call(['run', '--local', 'mcp-registry/com.example/notes', ...args], {
      env,
      local: { install: onHost, allow_loopback: true },
    });
  try {
    const missing = await run('--tool', 'seen');
    assert.equal(missing.code, 2, missing.err);
    assert.match(missing.err, /--var place=value/);
    const wrong = await run('--tool', 'seen', '--var', 'place=./none');
    assert.match(told(wrong.err).detail, /\.\/none is not a directory that you can read/);
    assert.match(wrong.err, /more is not shared with the server, which asks to read .*Shared/);
    const system = await run('--tool', 'seen', '--var', 'place=/etc');
    assert.match(told(system.err).detail, /is a system path/);
    const ran = await run('--tool', 'seen', '--var', 'place=./notes', '--var', 'more=./Shared');
    assert.equal(ran.code, 0, ran.err);
    const folder = await realpath(join(home, 'notes'));
    const shared = await realpath(join(home, 'Shared'));
    const { output } = JSON.parse(ran.out);
    assert.deepEqual(output, [folder, [shared], 'mine', 'EROFS', 2, 'metres']);
    assert.match(ran.err, /may read .*notes.* and write nothing there/);
    await writeFile(join(home, 'keys.json'), '{}');
    const more = ['--tool', 'seen', '--var', 'place=./notes', '--var', 'more=./Shared', '--share'];
    const given = await run(...more, './keys.json');
    assert.equal(given.code, 0, given.err);
    assert.equal(JSON.parse(given.out).output[4], 3, 'the file is beside the two folders');
    assert.match(given.err, /may read .*keys\.json, and write nothing there/);
    assert.match(told((await run(...more, './none')).err).detail, /Cannot share \.\/none: it does not exist/);
    assert.match(told((await run(...more, '/etc/passwd')).err).detail, /is a system path/);
  } finally {
    await bundles.close();
  }
});

test('Ctrl-C ends the box, and the run is stored with the status `cancelled`', { skip }, async () => {
  const interrupted = ['run', '--local', 'pkg:npm/interrupted@1.2.3'];
  await json(...interrupted);
  const stop = new AbortController();
  const known = new Set(await readdir(stateOf('runs')));
  const running = call([...interrupted, '--tool', 'slow'], { signal: stop.signal });
  await until('the server runs', () => commandLines().includes('node_modules/interrupted/'));
  stop.abort();
  assert.equal((await running).code, 130);
  const [name, ...more] = (await readdir(stateOf('runs'))).filter((file) => !known.has(file));
  assert.deepEqual(more, []);
  const run = JSON.parse(await readFile(stateOf('runs', name as string), 'utf8'));
  assert.equal(run.status, 'cancelled');
});

test('connect --local adds a server to clients, which start it in a box, and undo removes it', { skip }, async () => {
  await mkdir(join(home, '.cursor'));
  await mkdir(join(home, '.codex'));
  await stand.write('.cursor/mcp.json', '{\n  // mine\n  "mcpServers": {}\n}\n');
  await stand.write('secret.txt', 'very-secret-value-2');
  const ref = 'mcp-registry/com.example/probe';
  const order = ['connect', '--local', ref, '--secret', 'API_KEY=@secret.txt', '--host', 'api.example.com:8443'];
  const dry = await json<Connected>(...order, '--dry-run');
  assert.deepEqual([dry.id, dry.tools], [null, ['about', 'fetch', 'slow', 'ask', 'die']]);
  const done = await json<Connected>(...order);
  assert.deepEqual([done.name, done.hosts], ['probe', ['api.example.com:8443']]);
  const config = await readFile(join(home, '.cursor/mcp.json'), 'utf8');
  assert.match(config, /\/\/ mine/);
  assert.deepEqual(JSON.parse(config.replace('// mine', '')).mcpServers.probe, {
    command: '/usr/bin/node',
    args: ['/opt/capstan/main.js', 'serve-local', 'probe'],
  });
  assert.match(await readFile(join(home, '.codex/config.toml'), 'utf8'), /\[mcp_servers.probe\]/);
  const file = join(home, '.config/capstan/local/probe.json');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const shown = await call(['local']);
  assert.doesNotMatch(shown.out, /very-secret/);
  assert.match(shown.out, /\[secret\]/);
  assert.equal((await call(['connect', '--local', PURL, '--name', 'probe'])).code, 5, 'the name is taken');

  await useServer(async (client) => {
    const { tools } = await client.listTools();
    assert.equal(tools.length, 5);
    const { content } = await client.callTool({ name: 'about', arguments: {} });
    const text = content[0]?.type === 'text' ? content[0].text : '';
    assert.match(text, /"args":\["serve"\]/);
    assert.doesNotMatch(text, /very-secret/);
    assert.doesNotMatch(commandLines(), /very-secret/);
  });
  await useServer((client) => assert.rejects(client.callTool({ name: 'die', arguments: {} })));
  const { items } = await json<{ items: { tool: string; ref: string; status: string; receipt: string }[] }>(
    'local',
    'runs',
  );
  assert.deepEqual(
    items.slice(0, 2).map(({ tool, ref: of, status }) => [tool, of, status]),
    [
      ['die', ref, 'interrupted'],
      ['about', ref, 'completed'],
    ],
  );
  const verified = verifyBundle(JSON.parse(await readFile(items[1]?.receipt as string, 'utf8')));
  assert.ok(verified.consistent);
  assert.match(verified.statement.subject[0]?.name ?? '', /^listing\/mcp-registry\/com\.example\/probe@/);

  const stored = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...stored, tree_sha256: '0'.repeat(64) }));
  const changed = await call(['serve-local', 'probe']);
  assert.equal(changed.code, 1);
  assert.equal(told(changed.err).code, 'cli.changed');
  await writeFile(file, `${JSON.stringify(stored, null, 2)}\n`);

  const again = await json<Connected>(...order, '--var', 'UNITS=feet');
  assert.equal(again.id, null, 'the entries are there');
  assert.match(await readFile(file, 'utf8'), /feet/);
  await json('undo', done.id as string);
  assert.equal(await readFile(join(home, '.cursor/mcp.json'), 'utf8'), '{\n  // mine\n  "mcpServers": {}\n}\n');
  await assert.rejects(stat(file));
  assert.equal((await call(['serve-local', 'probe'])).code, 2);
});

test('run and connect --local bridge a server that listens at a port', { skip }, async () => {
  const ref = 'mcp-registry/com.example/listening';
  const ran = await json<Ran>('run', '--local', ref, '--tool', 'where');
  assert.equal(ran.output, 'at a port');
  const done = await json<Connected>('connect', '--local', ref, '--name', 'listening', '--client', 'cursor');
  await useServer(async (client) => {
    const { content } = await client.callTool({ name: 'where', arguments: {} });
    assert.deepEqual(content, [{ type: 'text', text: 'at a port' }]);
  }, 'listening');
  await json('undo', done.id as string);
});

interface Connected {
  id: string | null;
  name: string;
  tools: string[];
  hosts: string[];
}

/** Starts the server like an MCP client: as a process, over standard input and output. */
async function useServer(work: (client: Client) => Promise<void>, name = 'probe'): Promise<void> {
  const main = new URL('../src/main.ts', import.meta.url).pathname;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'serve-local', name],
    env: { HOME: home, PATH: process.env.PATH ?? '', ...CACHED_ENV, ...env },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

test('local check names the missing requirement and how to meet it', async () => {
  const cases: [NodeJS.Platform, Record<string, string>, RegExp, RegExp][] = [
    ['darwin', {}, /Linux kernel.*macOS/, /Lima/],
    ['win32', {}, /Windows/, /WSL 2/],
    ['linux', { CAPSTAN_RUNTIME: 'off' }, /switched off/, /CAPSTAN_RUNTIME/],
    [
      'linux',
      { CAPSTAN_RUNTIME: 'bwrap', CAPSTAN_RUNTIME_MIN: 'kubernetes' },
      /CAPSTAN_RUNTIME_MIN requires kubernetes/,
      /./,
    ],
  ];
  for (const [platform, more, detail, fix] of cases) {
    const { code, err } = await call(['local', 'check'], { platform, env: more });
    assert.equal(code, 1, err);
    assert.equal(told(err).code, 'cli.boxes');
    assert.match(told(err).detail, detail);
    assert.match(told(err).fix, fix);
  }
});

test('local check on macOS says why an installed container engine does not help', async () => {
  for (const [engines, detail] of [
    [[], /this machine runs macOS\.$/],
    [['docker'], /macOS\. The containers of docker run in a virtual machine/],
    [['podman', 'docker'], /macOS\. The containers of podman run in a virtual machine/],
  ] as const) {
    const { code, err } = await stand.call(['local', 'check'], { platform: 'darwin', env, local: { engines } });
    assert.equal(code, 1, err);
    assert.match(told(err).detail, detail);
    assert.match(told(err).fix, /Lima/);
  }
});

test('local check uses a container engine if bubblewrap does not suffice, and prints a note', {
  skip: skip || (await noEngine()),
}, async () => {
  const strong = { CAPSTAN_RUNTIME_MIN: 'container', CAPSTAN_CONTAINER_RUNTIME: 'runc' };
  const { code, out, err } = await call(['local', 'check'], { env: strong });
  assert.equal(code, 0, err);
  assert.equal(JSON.parse(out).isolation, 'container');
  assert.match(err, /note: .*CAPSTAN_RUNTIME_MIN.*in a container of podman instead/);
});

async function noEngine(): Promise<string | false> {
  if (!hasEngine('podman') || !hasEngine('runc')) return 'podman or runc is not installed';
  const driver = await openContainerDriver({ engine: 'podman', oci_runtime: 'runc' });
  const { isolation } = driver;
  await driver.close();
  return isolation === null && 'podman cannot start a box here';
}

test('exits with 2 for options that do not apply to local or to remote runs', async () => {
  for (const args of [
    ['run', '--local', PURL, '--no-wait'],
    ['run', '--local', PURL, '--pin', '1'],
    ['run', '--local', PURL, '--file', 'x'],
    ['run', 'mcp-registry/com.example/probe', '--share', '.'],
    ['connect', 'mcp-registry/com.example/probe', '--share', '.'],
    ['connect', 'mcp-registry/com.example/probe', '--project'],
    ['connect', 'mcp-registry/com.example/probe', '--client', 'cursor'],
  ])
    assert.equal((await call(args)).code, 2, args.join(' '));
});

test('does not echo a secret typed at the prompt', {
  skip: skip || (!existsSync('/usr/bin/script') && 'script is not installed'),
}, async () => {
  const args = ['run', '--local', PURL, '--tool', 'about', '--secret', 'API_KEY', '--text'];
  const shown = await typing(args, { HOME: home, ...env }, { 'API_KEY: ': 'typed-secret-value' });
  assert.match(shown, /"key": "\[redacted\]"/);
  assert.doesNotMatch(shown, /typed-secret/);
});

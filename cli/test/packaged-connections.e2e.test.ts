import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { systemClock } from '../../src/core/clock/clock.ts';
import { createLog } from '../../src/core/log.ts';
import { CACHED_ENV } from '../../test/cached-env.ts';
import { startMcpFake, textResult } from '../../test/fakes/mcp-server.ts';
import { freePort } from '../../test/free-port.ts';
import { LAUNCH, packagedFixture, SERVER, saved, saveServer } from '../../test/packaged-stand.ts';
import { bundleOf, openBundleServer } from '../../test/packages/bundles.ts';
import { noPackagesHere, onHost } from '../../test/packages/runtime.ts';
import { npmCliHere } from '../../test/packages/store.ts';
import { until } from '../../test/until.ts';
import { openWorld } from '../../test/world.ts';
import { answersOf } from './answers.ts';
import { openStand } from './stand.ts';
import { typing } from './typing.ts';

/** Commands for connections to packages that the service starts, with values, secrets and hosts. */

const skip = await noPackagesHere();
const { registry, publish } = await packagedFixture();
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const service = await openWorld(
  {
    PORT: `${port}`,
    PUBLIC_URL: url,
    CAPSTAN_NPM_REGISTRY: registry.url,
    CAPSTAN_NPM_CLI: npmCliHere() ?? '',
  },
  'serve',
  systemClock,
  createLog('silent'),
  { install: onHost },
);
await service.listen();
await saved(service.database, 'com.example/probe', LAUNCH);
publish('silent', "console.error('silent'); setInterval(() => {}, 1_000);");
await saved(service.database, 'com.example/silent', { ...LAUNCH, identifier: 'silent', env: [] });
const stand = await openStand(url);
after(async () => {
  await stand[Symbol.asyncDispose]();
  await service.close();
});

const { call, json } = stand;
const PROBE = 'mcp-registry/com.example/probe';
const SECRET = 'very-secret-value-3';
await stand.write('key.txt', `${SECRET}\n`);
const wallet = await stand.write('wallet', '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362319');
await json('login', '--wallet', '--wallet-key', wallet);
const signed = ['--wallet-key', wallet];

interface Made {
  id: string;
  status: string;
  package: { hosts: string[]; isolation: string };
}

const connections = async () => (await json<{ items: Made[] }>('connections')).items;
const told = (err: string) => JSON.parse(err.trim().split('\n').at(-1) as string).error;

test('connections add takes values, a secret and hosts, and the server starts with them', { skip }, async () => {
  const made = await json<Made>(
    ...['connections', 'add', PROBE, '--var', 'UNITS=feet', '--var', '--port=80', '--secret', 'API_KEY=@key.txt'],
    ...['--host', 'api.example.com', ...signed],
  );
  answersOf('connections.connections.get')(made);
  assert.equal(made.status, 'ready');
  assert.deepEqual(made.package.hosts, ['api.example.com']);
  assert.match(made.package.isolation, /^bwrap/);
  const called = await call(['connections', 'call', made.id, 'about', '--text']);
  assert.match(called.err, /receipt +[0-9a-f]{8}-/);
  const asked = ['connections', 'call', made.id, 'fetch', '--input', '{"host":"nowhere.example"}', '--text'];
  const [, traceId = ''] = /trace +(\S+)/.exec((await call(asked)).err) ?? [];
  assert.match((await call(['trace', traceId, '--text'])).err, /Host refused nowhere\.example/);
  assert.match(called.out, /"args":\["serve","--port","80"\].*"units":"feet"/s);
  assert.ok(!called.out.includes(SECRET));
  const unsigned = await call(['connections', 'hosts', made.id, 'api.example.org']);
  assert.equal(told(unsigned.err).code, 'auth.signature_required', unsigned.err);
  const changed = await json<Made>('connections', 'hosts', made.id, 'api.example.org', ...signed);
  assert.deepEqual(changed.package.hosts, ['api.example.org']);
  const none = await json<Made>('connections', 'hosts', made.id, ...signed);
  assert.deepEqual(none.package.hosts, []);
  const wrong = await call(['connections', 'hosts', made.id, 'http://x', ...signed]);
  assert.equal(wrong.code, 2);
  await json('connections', 'remove', made.id);
});

test('connections add names a missing secret and the next command; a wrong secret name adds nothing', {
  skip,
}, async () => {
  const { out } = await call(['connect', PROBE, '--text']);
  const [, next] = /next {2}capstan (connections credential \S+ --secret API_KEY=@file)/.exec(out) ?? [];
  assert.ok(next !== undefined, out);
  const stored = await call([...next.replace('@file', '@key.txt').split(' '), ...signed]);
  assert.equal(stored.code, 0, stored.err);
  assert.equal((await connections()).at(0)?.status, 'ready');
  await json('connections', 'remove', (await connections()).at(0)?.id as string);
  const wrong = await call(['connections', 'add', PROBE, '--secret', 'OTHER=@key.txt', ...signed]);
  assert.equal(wrong.code, 2, wrong.err);
  assert.deepEqual(await connections(), []);
});

test('connections add prompts for required values at a terminal, and does not echo secrets', {
  skip: skip || (!existsSync('/usr/bin/script') && 'script is not installed'),
}, async () => {
  const typed = await typing(
    ['connections', 'add', PROBE, '--text', ...signed],
    { CAPSTAN_URL: url, HOME: stand.home },
    { 'API_KEY (Of the service): ': SECRET },
  );
  assert.match(typed, /status +ready/);
  assert.ok(!typed.includes(SECRET), typed);
  await json('connections', 'remove', (await connections()).at(0)?.id as string);
  // Nobody is asked for a secret that could not be stored.
  const unsigned = await call(['connections', 'add', PROBE, '--text'], { tty: true });
  assert.match(unsigned.err, /It needs API_KEY: store it on http\S+\/dashboard\/connections\/\S+, or use --wallet-key/);
  assert.match(unsigned.out, /status +auth_required/);
  await json('connections', 'remove', (await connections()).at(0)?.id as string);
});

test('connections add asks for the settings of a bundle, its secrets without showing them, and its hosts', {
  skip: skip || (!existsSync('/usr/bin/script') && 'script is not installed'),
}, async () => {
  const bundles = await openBundleServer();
  const user_config = {
    units: { type: 'string', required: true, title: 'Units' },
    token: { type: 'string', required: true, sensitive: true, title: 'Key of the service' },
  };
  const mcp_config = {
    command: 'node',
    args: [`\${__dirname}/server/index.js`],
    env: { UNITS: `\${user_config.units}`, API_KEY: `\${user_config.token}` },
  };
  const bytes = bundleOf({
    server: { type: 'node', entry_point: 'server/index.js', mcp_config },
    files: [{ path: 'server/index.js', bytes: SERVER }],
    more: { user_config },
  });
  bundles.served.set('/declared.mcpb', bytes);
  const file_sha256 = createHash('sha256').update(bytes).digest('hex');
  const identifier = `${bundles.origin}/declared.mcpb`;
  const more = { registry_type: 'mcpb', identifier, version: '', file_sha256, package_arguments: [], env: [] };
  await saved(service.database, 'com.example/declared', { ...LAUNCH, ...more, hosts: ['api.example.com'] });
  const DECLARED = 'mcp-registry/com.example/declared';
  try {
    const piped = await call(['connections', 'add', DECLARED]);
    assert.deepEqual([piped.code, told(piped.err).fix], [2, 'Use --var units=value']);
    const typed = await typing(
      ['connections', 'add', DECLARED, '--text', ...signed],
      { CAPSTAN_URL: url, HOME: stand.home },
      {
        'Allow it to reach these hosts? [Y/n]: ': 'y',
        'units (Units): ': 'feet',
        'token (Key of the service): ': SECRET,
      },
    );
    assert.match(typed, /status +ready/);
    assert.match(typed, /hosts +api\.example\.com/);
    assert.ok(!typed.includes(SECRET), typed);
    const [made] = await connections();
    const called = await call(['connections', 'call', made?.id ?? '', 'about', '--text']);
    assert.match(called.out, /"key":"\[redacted\]","units":"feet"/);
    await json('connections', 'remove', made?.id ?? '');
  } finally {
    await bundles.close();
  }
});

test('connections add asks for the header that the address of a listing requires', {
  skip: !existsSync('/usr/bin/script') && 'script is not installed',
}, async () => {
  const fake = await startMcpFake([{ name: 'about', call: () => textResult('known') }]);
  fake.fault = (request, response) => {
    if (request.headers['x-api-key'] === SECRET && request.headers['x-team'] === 'north') return false;
    response.writeHead(401).end();
    return true;
  };
  const header = (name: string, description: string, secret: boolean) => ({
    name,
    description,
    secret,
    required: true,
  });
  const headers = [header('X-Api-Key', 'Key of the team', true), header('X-Team', 'Its name', false)];
  const remotes = [{ transport: 'streamable-http', url: fake.url, headers }];
  await saveServer(service.database, 'com.example/remote', { name: 'Remote', packages: [], remotes });
  try {
    const typed = await typing(
      ['connections', 'add', 'mcp-registry/com.example/remote', '--text', ...signed],
      { CAPSTAN_URL: url, HOME: stand.home },
      { 'X-Api-Key (Key of the team): ': SECRET, 'X-Team (Its name): ': 'north' },
    );
    assert.match(typed, /status +ready/, typed);
    assert.ok(!typed.includes(SECRET));
    await json('connections', 'remove', (await connections()).at(0)?.id as string);
  } finally {
    await fake.close();
  }
});

test('run with values creates a connection for the run and deletes it afterwards', { skip }, async () => {
  const order = ['run', PROBE, '--tool', 'about', '--secret', 'API_KEY=@key.txt', '--receipt', 'r.json', ...signed];
  const ran = await call(order);
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /"status":"completed"/);
  assert.ok(!ran.out.includes(SECRET));
  assert.equal((await call(['verify', 'r.json', '--issuer', url])).code, 0);
  assert.deepEqual(await connections(), []);
  const without = await call(['run', PROBE, '--tool', 'about']);
  assert.equal(without.code, 1);
  assert.match(told(without.err).detail, /requires API_KEY/);
  assert.match(told(without.err).fix, /--var, --secret/);
  const noTool = await call(['run', PROBE, '--var', 'UNITS=feet']);
  assert.equal(noTool.code, 2);
  assert.match(told(noTool.err).detail, /--tool/);
});

test('connections add shows its steps, and Ctrl-C cancels them', { skip }, async () => {
  const stop = new AbortController();
  const shown: string[] = [];
  const running = call(['connections', 'add', 'mcp-registry/com.example/silent'], {
    signal: stop.signal,
    tty: true,
    onErr: (text) => shown.push(text),
  });
  await until('the server is started', () => shown.join('').includes('starting the server'));
  assert.match(shown.join(''), /fetching the package/);
  stop.abort();
  assert.equal((await running).code, 130);
  assert.deepEqual(await connections(), []);
});

/** The server of the README: one of its tools asks for a host. */
const TIDES = `#!/usr/bin/env node
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const tools = [{ name: 'surge', description: 'Measured surge at a station.', inputSchema: { type: 'object', properties: { station: { type: 'string' } } } }];
  const text = (value) => ({ content: [{ type: 'text', text: value }] });
  let rest = '';
  process.stdin.on('data', async (chunk) => {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    for (const { id, method, params } of lines.map((line) => JSON.parse(line))) {
      if (id === undefined) continue;
      if (method === 'initialize') send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'harbour-tides', version: '1.2.3' } } });
      else if (method === 'tools/list') send({ id, result: { tools } });
      else if (method === 'tools/call') send({ id, result: await fetch('https://tides.example/surge').then(() => text('reached'), () => text('tides.example cannot be reached')) });
      else send({ id, error: { code: -32601, message: 'no ' + method } });
    }
  });`;

const missing = ['bash', 'jq', 'curl'].find((name) => spawnSync(name, ['--version']).error !== undefined);

test('every line of the README works in order, from a search to a receipt that is verified offline', {
  skip: skip || (missing !== undefined && `${missing} is not installed`),
}, async () => {
  publish('harbour-tides', TIDES);
  await saveServer(service.database, 'io.github.harbour-example/tides', {
    name: 'Harbour tides',
    description: 'High water and surge at harbours of the North Sea.',
    packages: [{ ...LAUNCH, identifier: 'harbour-tides', env: [], package_arguments: [] }],
  });
  await until('the listing is found', async () =>
    (await call(['search', 'harbour', 'tides'])).out.includes('harbour-example'),
  );
  const root = new URL('../..', import.meta.url).pathname;
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const [, lines = '', shown = ''] = /^```sh package\n([\s\S]*?)^```\n\n```\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  assert.match(lines, /^capstan verify/m);
  await copyFile(wallet, join(stand.home, 'wallet.key'));
  const program = `capstan() { '${process.execPath}' '${join(root, 'cli/src/main.ts')}' "$@"; }`;
  // A terminal would show text.
  const asShown = lines.replace(/^capstan (?!connections list)(.*)$/gm, 'capstan --text $1');
  const env = { PATH: process.env.PATH ?? '', HOME: stand.home, CAPSTAN_URL: url, ...CACHED_ENV };
  const ran = await promisify(execFile)('bash', ['-e', '-c', `${program}\n${asShown}`], { cwd: stand.home, env });
  const plain = (text: string) =>
    text
      .replace(/bwrap[+\w]*/g, 'bwrap')
      .replace(/^(connection|what|started|finished|key|log)( +)\S.*$/gm, '$1$2…')
      .replace(/sha256:[0-9a-f]{64}/g, 'sha256:…')
      .trim();
  assert.equal(plain(ran.stdout), plain(shown), ran.stderr);
});

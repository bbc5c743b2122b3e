import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { RIG_YAML_EXAMPLE } from '../../src/runtime/rigs/examples.ts';
import { createVisitor } from '../../test/authorization-client.ts';
import { zipOf } from '../../test/fakes/archives.ts';
import { JOB_SECRET, startCiIssuer } from '../../test/fakes/ci-issuer.ts';
import { startMcpFake, textResult } from '../../test/fakes/mcp-server.ts';
import { freePort } from '../../test/free-port.ts';
import { saveAll } from '../../test/interop-stand.ts';
import { listing, remote } from '../../test/listings.ts';
import { until } from '../../test/until.ts';
import { ethereumWallet } from '../../test/wallet-keys.ts';
import { openWorld } from '../../test/world.ts';
import type { Done } from '../src/install/done.ts';
import { VERSION } from '../src/version.ts';
import { answersOf } from './answers.ts';
import { openStand } from './stand.ts';

/** The program with the real service over a socket. */

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const issuer = await startCiIssuer();
const trusted = { CAPSTAN_TRUSTED_ISSUERS: `github=github:${issuer.url}` };
const world = await openWorld({ PORT: `${port}`, PUBLIC_URL: url, ...trusted }, 'serve');
await world.listen();
await saveAll(world.database.db, [
  listing('glama', 'ana/weather', { name: 'Weather', ...remote('https://weather.example/mcp') }),
]);
await world.catalog.refresh();
const stand = await openStand(url);
after(async () => {
  await stand[Symbol.asyncDispose]();
  await world.close();
  await issuer.close();
});

const KEY = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';
const { call, json, home } = stand;
const keyFile = await stand.write('key', KEY);

test('login --wallet stores a token readable only by the user, logout revokes it, and a run needs no account', async () => {
  const session = await json<{ user: { id: string } }>('login', '--wallet', '--wallet-key', keyFile);
  answersOf('accounts.signIns.getCurrent')(session);
  const file = join(home, '.config/capstan/credentials.json');
  const { mode } = await import('node:fs').then((fs) => fs.statSync(file));
  assert.equal(mode & 0o777, 0o600);
  answersOf('accounts.signIns.getCurrent')(await json('whoami'));
  const token = JSON.parse(await readFile(file, 'utf8'))[url].access_token;
  assert.equal((await call(['logout'])).code, 0);
  const answer = await fetch(`${url}/api/auth/session`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(answer.status, 401);
  const { code, err } = await call(['whoami']);
  assert.equal(code, 4);
  assert.match(err, /auth\.token_required.*capstan login/s);

  const input = JSON.stringify({ before: { port: 80 }, after: { port: 8080 } });
  const ran = await call(['run', 'json-diff', '-i', input, '--receipt', 'anonymous.json']);
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.err, /left\s+4 today/);
  assert.equal(JSON.parse(ran.out).run.output.equal, false);
  assert.equal((await call(['verify', 'anonymous.json', '--issuer', url])).code, 0);
  const needs = await call(['run', 'glama/ana/weather', '--tool', 'now']);
  assert.match(needs.err, /trials\.account_required/);
  assert.notEqual(needs.code, 0);
});

test('login completes in the browser over loopback, and an expired token is refreshed', async () => {
  const visitor = createVisitor(url);
  const openBrowser = async (page: string) => {
    const asked = Object.fromEntries(new URL(page).searchParams);
    const signed = await visitor.withWallet(await visitor.open(asked), ethereumWallet());
    const back = await visitor.decide(signed);
    const stranger = new URL(back);
    stranger.searchParams.set('state', 'made-up');
    assert.equal((await fetch(stranger)).status, 404, 'another page changes nothing');
    assert.equal((await fetch(back)).status, 200);
    return true;
  };
  const signedIn = await call(['login'], { openBrowser });
  assert.equal(signedIn.code, 0, signedIn.err);
  const file = join(home, '.config/capstan/credentials.json');
  const held = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ [url]: { ...held[url], expires_at: new Date().toISOString() } }));
  answersOf('accounts.signIns.getCurrent')(await json('whoami'));
  assert.notEqual(JSON.parse(await readFile(file, 'utf8'))[url].access_token, held[url].access_token);
  await call(['logout']);
});

test('run prints the result and writes a receipt that verifies; trace shows the run', async () => {
  await json('login', '--wallet', '--wallet-key', keyFile);
  const { example } = await json<{ example: { input: object } }>('show', 'json-diff');
  const { code, out, err } = await call(['run', 'json-diff', '-i', '-', '--receipt', 'r.json'], {
    stdin: JSON.stringify(example.input),
  });
  assert.equal(code, 0, err);
  const task = JSON.parse(out);
  answersOf('runtime.tasks.get')(task);
  assert.equal(task.status, 'completed');
  answersOf('runtime.tasks.getTrace')(await json('trace', task.id));
  answersOf('runtime.tasks.list')(await json('tasks'));
  answersOf('runtime.tasks.get')(await json('tasks', 'show', task.id));
  const people = await call(['trace', task.id], { tty: true, env: { NO_COLOR: '1' } });
  assert.match(people.out, /█+ +\d+ ms/);
  const verify = async (...args: string[]) => {
    const { code, out } = await call(['verify', ...args]);
    const { verdict, valid } = JSON.parse(out);
    return [code, verdict, valid];
  };
  assert.deepEqual(await verify('r.json'), [3, 'internally consistent, issuer unknown', false]);
  assert.deepEqual(await verify('r.json', '--issuer', url), [0, 'valid', true]);
  assert.deepEqual(await verify(task.receipt_id), [0, 'valid', true]);
  const bundle = JSON.parse(await readFile(join(home, 'r.json'), 'utf8'));
  await stand.write('forged.json', JSON.stringify({ ...bundle, log_entry: { ...bundle.log_entry, index: 7 } }));
  assert.equal((await call(['verify', 'forged.json'])).code, 1);
});

test('run --text prints the result of a signed-in user once, on stdout', async () => {
  const { code, out, err } = await call(['run', 'skill/json-diff', '--example', '--text']);
  assert.equal(code, 0, err);
  assert.equal(JSON.parse(out).equal, false);
  assert.doesNotMatch(err, /equal/, 'and not on stderr too');
});

test('empty lists say on stderr that they are empty, and what to do', async () => {
  await json('login', '--wallet', '--wallet-key', keyFile);
  for (const [args, said] of [
    [['connections'], /No connections\. .*capstan connect <server>/],
    [['endpoints'], /No endpoints\. .*capstan endpoints add <name>/],
    [['rigs'], /No rigs\. .*capstan rigs create/],
    [['keys', '--wallet-key', keyFile], /No API keys\. .*capstan keys create <name>/],
    [['tasks', '--status', 'rejected'], /No tasks with the status rejected\. List all: capstan tasks/],
    [['tasks', '--offset', '500'], /No tasks after the first 500\./],
    [['installed'], /Nothing is installed\. .*capstan install <ref>/],
    [['local'], /No servers on this machine\. .*capstan connect <server> --local/],
    [['local', 'runs'], /No runs on this machine\. .*capstan run <ref> --local/],
  ] as const) {
    const { code, out, err } = await call([...args, '--text']);
    assert.deepEqual([code, out], [0, ''], `${args.join(' ')}: ${err}`);
    assert.match(err, said);
  }
  assert.equal((await call(['rigs'])).err, '', 'JSON shows the empty list itself');
});

test('run: exits with 2 for an invalid input and 3 for an unknown skill; --dry-run runs nothing', async () => {
  const wrong = await call(['run', 'json-diff', '-i', '{"nothing":1}']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /"pointer":/);
  assert.equal((await call(['run', 'no-such-skill'])).code, 3);
  assert.equal((await call(['run', 'json-diff', '-i', '{broken'])).code, 2);
  const { example } = await json<{ example: { input: object } }>('show', 'json-diff');
  const before = await json<{ total_count: number; items: { status: string }[] }>('tasks', '--limit', '1');
  await json('run', 'json-diff', '-i', JSON.stringify(example.input), '--dry-run');
  const [made] = (await json<typeof before>('tasks', '--limit', '1')).items;
  assert.equal(made?.status, 'cancelled');
});

test('install adds a server to each client, keeps comments and other entries, and undo removes it', async () => {
  await mkdir(join(home, '.cursor'), { recursive: true });
  await mkdir(join(home, '.codex'), { recursive: true });
  const cursor = '{\n  // mine\n  "mcpServers": {\n    "other": { "url": "https://other.example" }\n  }\n}\n';
  await stand.write('.cursor/mcp.json', cursor);
  await stand.write('.codex/config.toml', 'model = "x" # mine\n');
  const ref = 'glama/ana/weather';
  const dry = await json<Done>('install', ref, '--dry-run');
  assert.deepEqual(dry.steps.map((step) => step.client).sort(), ['codex', 'cursor']);
  assert.equal(await readFile(join(home, '.cursor/mcp.json'), 'utf8'), cursor);
  const done = await json<Done>('install', ref);
  const written = await readFile(join(home, '.cursor/mcp.json'), 'utf8');
  assert.match(written, /\/\/ mine/);
  assert.match(written, /"weather": \{\s*"url": "https:\/\/weather.example\/mcp"/);
  const toml = await readFile(join(home, '.codex/config.toml'), 'utf8');
  assert.equal(toml, 'model = "x" # mine\n\n[mcp_servers.weather]\nurl = "https://weather.example/mcp"\n');
  assert.deepEqual(
    (await json<Done>('install', ref)).steps.map((step) => step.action),
    ['kept', 'kept'],
  );
  await stand.write('.codex/config.toml', `${toml}[mcp_servers.later]\nurl = "https://later.example"\n`);
  await json('undo', done.id as string);
  assert.equal(await readFile(join(home, '.cursor/mcp.json'), 'utf8'), cursor);
  const kept = await readFile(join(home, '.codex/config.toml'), 'utf8');
  assert.doesNotMatch(kept, /weather/);
  assert.match(kept, /later/, 'what was written since stays');
  await stand.write('.cursor/mcp.json', '{"mcpServers":{"weather":{"url":"https://mine.example"}}}');
  const taken = await call(['install', ref, '-c', 'cursor']);
  assert.equal(taken.code, 5);
  assert.match(taken.err, /--force/);
  await stand.write('.cursor/mcp.json', '{broken');
  assert.equal((await call(['install', ref, '-c', 'cursor'])).code, 1);
  assert.equal(await readFile(join(home, '.cursor/mcp.json'), 'utf8'), '{broken', 'nothing was written');
});

test('install changes no client if one of them cannot be written', { skip: process.platform !== 'linux' }, async () => {
  await stand.write('.cursor/mcp.json', '{}');
  await rm(join(home, '.codex'), { recursive: true });
  // Not even root can create files there.
  await symlink('/proc/self', join(home, '.codex'));
  const { code, err } = await call(['install', 'glama/ana/weather', '-c', 'cursor', '-c', 'codex']);
  assert.equal(code, 1);
  assert.match(err, /cli\.machine/);
  assert.equal(await readFile(join(home, '.cursor/mcp.json'), 'utf8'), '{}');
  assert.deepEqual(await json('installed'), { items: [] });
});

test('install writes a skill verified by digest, and undo keeps files changed since', async () => {
  await mkdir(join(home, '.claude'), { recursive: true });
  const done = await json<Done>('install', 'json-diff', '-c', 'claude-code');
  const folder = join(home, '.claude/skills/json-diff');
  assert.equal(done.steps[0]?.place, folder);
  const md = await readFile(join(folder, 'SKILL.md'), 'utf8');
  assert.match(md, /^---\nname: json-diff/);
  assert.equal((await call(['install', 'json-diff', '-c', 'claude-code'])).code, 5);
  await writeFile(join(folder, 'SKILL.md'), `${md}mine\n`);
  await json('undo');
  assert.equal(await readFile(join(folder, 'SKILL.md'), 'utf8'), `${md}mine\n`);
  const fetchOther: typeof fetch = async (address, init) => {
    const answer = await fetch(address, init);
    return `${address}`.endsWith('/SKILL.md') ? new Response('another', { headers: answer.headers }) : answer;
  };
  const swapped = await call(['install', 'json-diff', '-c', 'codex'], { fetch: fetchOther as never });
  assert.equal(swapped.code, 1);
  assert.match(swapped.err, /cli\.digest/);
});

test('keys create and revoke require the wallet’s signature', async () => {
  const without = await call(['keys', 'create', 'ci']);
  assert.equal(without.code, 4);
  assert.match(without.err, /--wallet-key/);
  const made = await json<{ key: string; id: string }>(
    'keys',
    'create',
    'ci',
    '--scopes',
    'read',
    '--wallet-key',
    keyFile,
  );
  answersOf('accounts.apiKeys.create', 201)(made);
  const { code } = await call(['whoami'], { env: { CAPSTAN_TOKEN: made.key } });
  assert.equal(code, 0);
  await json('keys', 'revoke', made.id, '--wallet-key', keyFile);
  assert.equal((await call(['whoami'], { env: { CAPSTAN_TOKEN: made.key } })).code, 4);
});

test('wrong usage exits with 2; an unreachable service exits with 1 and names CAPSTAN_URL', async () => {
  for (const args of [
    ['nothing'],
    ['show'],
    ['show', 'a b'],
    ['run', 'json-diff', '--file', 'nowhere'],
    ['run', 'json-diff', '--example', '--input', '{}'],
    ['run', 'glama/ana/weather', '--example'],
    ['search', 'x', '--limit', '-1'],
  ])
    assert.equal((await call(args)).code, 2, args.join(' '));
  const unread = await call(['run', 'json-diff', '--input', '@nowhere.json']);
  assert.match(unread.err, /Cannot read nowhere\.json: it does not exist\./);
  const down = await call(['whoami', '--url', 'http://127.0.0.1:1'], { env: { CAPSTAN_TOKEN: 'cap_x' } });
  assert.equal(down.code, 1);
  assert.match(down.err, /CAPSTAN_URL/);
  assert.equal((await call(['--version'])).out, `${VERSION}\n`);
});

test('search ranks by relevance and prints references that other commands accept', async () => {
  const isIndexed = async () => (await json<{ total_count: number }>('search', 'weather')).total_count > 0;
  await until('the listing in the index', () => isIndexed().catch(() => false));
  answersOf('marketplace.listings.search')(await json('search', 'weather'));
  const people = await call(['search', 'weathr', '--text']);
  assert.match(people.out, /Weather .*server · mcp · listed\n {2}glama\/ana\/weather\n/);
  assert.match(people.err, /Searched for "weather" instead of "weathr"\. .*--as-typed/);
  const typed = await call(['search', 'weathr', '--as-typed', '--text']);
  assert.deepEqual([typed.out, /Searched for/.test(typed.err)], ['', false]);
  assert.match(typed.err, /No results\. Search without --as-typed/);
  assert.match((await call(['search', 'weather', '--offset', '900', '--text'])).err, /Use a smaller --offset/);
  const nothing = await call(['search', 'zzqqxxzz', '--text']);
  assert.deepEqual([nothing.code, nothing.out], [0, '']);
  assert.match(nothing.err, /No results/);
});

test('show, sync, rigs and connections print the service’s responses', async () => {
  answersOf('catalog.items.get')(await json('show', 'glama/ana/weather'));
  answersOf('catalog.sync.get')(await json('sync'));
  answersOf('runtime.rigs.list')(await json('rigs'));
  answersOf('connections.connections.list')(await json('connections'));
});

test('a rig is created, updated, locked, published, installed, run by name and deleted', async () => {
  await json('login', '--wallet', '--wallet-key', keyFile);
  await mkdir(join(home, 'work'));
  await stand.write('work/rig.yaml', RIG_YAML_EXAMPLE.replace('Shows how', 'Shwos how'));
  await json('rigs', 'create', 'work/rig.yaml');
  await stand.write('work/rig.yaml', RIG_YAML_EXAMPLE);
  answersOf('runtime.rigs.update')(await json('rigs', 'update', 'compare-configs', 'work/rig.yaml'));
  const order = ['publish', 'work', 'cli-lang/compare-configs', '--release', '1.0.0', '--license', 'Apache-2.0'];
  const unlocked = await call(order);
  assert.equal(unlocked.code, 2);
  assert.match(unlocked.err, /rig\.lock/);
  const lock = await json<{ content: string }>('rigs', 'lock', 'compare-configs');
  const published = await json<{ files: { path: string }[] }>(...order);
  assert.deepEqual(
    published.files.map(({ path }) => path),
    ['rig.lock', 'rig.yaml'],
  );

  const ref = 'cli-lang/compare-configs';
  const installed = await call(['install', ref]);
  assert.equal(installed.code, 0, installed.err);
  assert.match(installed.err, /capstan run cli-lang\/compare-configs/);
  assert.equal(await readFile(join(home, 'rigs/compare-configs/rig.yaml'), 'utf8'), RIG_YAML_EXAMPLE);
  assert.equal(await readFile(join(home, 'rigs/compare-configs/rig.lock'), 'utf8'), lock.content);
  const input = JSON.stringify({ before: { port: 80 }, after: { port: 8080 } });
  const ran = await call(['run', ref, '--input', input]);
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /8080/);
  answersOf('marketplace.listings.get')(await json('show', ref));
  assert.equal((await call(['undo'])).code, 0);
  await assert.rejects(readFile(join(home, 'rigs/compare-configs/rig.yaml')));
  assert.equal((await call(['rigs', 'delete', 'compare-configs'])).code, 0);
  assert.equal((await call(['rigs', 'show', 'compare-configs'])).code, 3);
  assert.equal((await call(['run', ref, '--input', input])).code, 0, 'what is published stays');
});

test('escapes control characters in untrusted text', async () => {
  await saveAll(world.database.db, [
    listing('glama', 'x/evil', { name: 'e\u001b[2Jvil\u202e', description: 'd\u0007' }),
  ]);
  const shown = await call(['show', 'glama/x/evil', '--text']);
  assert.equal(shown.code, 0, shown.err);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  assert.doesNotMatch(shown.out, /[\u001b\u0007\u202e]/);
});

test('install --mine writes the connections as one server with a token for it alone; accept takes all changes', async () => {
  const tide = { name: 'tide_at', description: 'Tells the height of the tide.', call: () => textResult('2.1 m') };
  const fake = await startMcpFake([tide]);
  after(() => fake.close());
  await json('login', '--wallet', '--wallet-key', keyFile);
  const { id } = await json<{ id: string }>('connect', fake.url, '--name', 'Tides');
  const link = await call(['connections', 'sign-in', id, '--link', '--text']);
  assert.equal(link.out.trim(), `${url}/dashboard/connections/${id}#sign-in`);
  const listed = () => json<{ items: { id: string }[] }>('endpoints', 'list');
  const dry = await json<{ endpoint: null }>('install', '--mine', '--client', 'claude-code', '--dry-run');
  assert.deepEqual([dry.endpoint, (await listed()).items], [null, []]);
  const choice = ['--connection', `${id}=tide_at`];
  const done = await call(['install', '--mine', '--client', 'claude-code', ...choice]);
  assert.equal(done.code, 0, done.err);
  const file = join(home, '.claude.json');
  const { url: address, headers } = JSON.parse(await readFile(file, 'utf8')).mcpServers.capstan;
  assert.ok(!done.out.includes(headers.Authorization.slice('Bearer '.length)), 'the token is in the file alone');
  const list = async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const answer = await fetch(address, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    const { result } = (await answer.json()) as { result?: { tools: { name: string }[] } };
    return result?.tools.map(({ name }) => name) ?? answer.status;
  };
  assert.deepEqual(await list(), ['tides__tide_at']);
  fake.tools.splice(0, 1, { ...tide, name: 'tide_now' });
  const shown = await call(['connections', 'tools', id, '--refresh', '--text']);
  const [, hash = ''] = /connections accept \S+ (sha256:\w+)/.exec(shown.err) ?? [];
  assert.match(shown.out, /tide_now +added, waits +Was tide_at\./);
  assert.deepEqual(await list(), []);
  const accepted = await json<{ renamed: object[] }>('connections', 'accept', id, hash);
  assert.deepEqual(accepted.renamed, [{ from: 'tide_at', to: 'tide_now' }]);
  assert.deepEqual(await list(), ['tides__tide_now']);
  const { endpoint, id: installed } = JSON.parse(done.out);
  await json('endpoints', 'choose', endpoint);
  assert.deepEqual(await list(), []);
  const asks = async (...ask: string[]) =>
    (
      await json<{ connections: { ask_except: unknown }[] }>('endpoints', 'offer', endpoint, id, ...ask)
    ).connections.map(({ ask_except }) => ask_except);
  assert.deepEqual(await asks('--ask', 'all'), [[]]);
  assert.deepEqual(await list(), ['tides__tide_now']);
  assert.deepEqual(await asks(), [[]], 'as before');
  assert.match((await call(['endpoints', 'show', endpoint, '--text'])).out, /asks before calls$/m);
  assert.deepEqual(await asks('--ask', 'writes'), [[]], 'it does not say that it only reads');
  assert.deepEqual(await asks('--ask', 'never'), [null]);
  await json('endpoints', 'remove', endpoint);
  assert.equal(await list(), 401);
  await json('undo', installed);
  await assert.rejects(readFile(file), { code: 'ENOENT' });
});

test('publish takes name, version and license from the files, and reads an archive', async () => {
  await json('login', '--wallet', '--wallet-key', keyFile);
  const main = '---\nname: tide-table\ndescription: Answers the tides.\nlicense: MIT\n---\n# Tides\n';
  await mkdir(join(home, 'tide-table'));
  await stand.write('tide-table/SKILL.md', main);
  const first = await call(['publish', 'tide-table', '--text']);
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /cli-lang\/tide-table\n.*1\.0\.0 published/s);
  assert.match(first.err, /version 1\.0\.0: It is the first version\./);
  await writeFile(join(home, 'tides.zip'), zipOf([{ name: 'tide-table/SKILL.md', body: `${main}Ebb.\n` }]));
  const next = await call(['publish', 'tides.zip', '--dry-run', '--text']);
  assert.match(next.err, /version 1\.0\.1: Only the content of files changed\./);
  assert.match(next.out, /1\.0\.1 not published/);
  await mkdir(join(home, 'broken'));
  await stand.write('broken/SKILL.md', main.replace('tide-table', 'Tide Table'));
  const broken = await call(['publish', 'broken', '--text']);
  assert.equal(broken.code, 2);
  assert.match(broken.err, /^error {2}SKILL\.md:2 .*Use 1 to 64 lower-case letters.*\n.*The checks found one error/m);
  const own = await call(['published', '--text']);
  assert.match(own.out, /^cli-lang\/tide-table +1\.0\.0 +listed +0 runs +0 findings/m);
  answersOf('marketplace.publishers.getOwn')(await json('published'));
  const none = await call(['publish', 'nowhere', 'cli-lang/x', '--ci', '--release', '1.0.0', '--license', 'MIT']);
  assert.equal(none.code, 2);
});

test('the guide to publishing from CI: the workflow is named, its job publishes, and the version shows it', async () => {
  const guide = await readFile(new URL('../../docs/guides/publish-from-ci.md', import.meta.url), 'utf8');
  const block = (name: string) => new RegExp(`^\`\`\`\\w+ ${name}\\n(.*?)^\`\`\``, 'ms').exec(guide)?.[1] ?? '';
  /** The guide's name of the listing is not taken again by each test. */
  const ours = (text: string) => text.replaceAll('ana-lang/words', 'cli-lang/words');
  const words = (name: string) => `---\nname: words\ndescription: Counts words.\n---\n# ${name}\n`;
  await json('login', '--wallet', '--wallet-key', keyFile);
  await mkdir(join(home, 'words'));
  await stand.write('words/SKILL.md', words('First'));
  const { id } = await json<{ id: string }>(
    'publish',
    'words',
    'cli-lang/words',
    '--release',
    '1.0.0',
    '--license',
    'MIT',
  );
  const trusting = argsOf(ours(block('trust')));
  const added = await json<{ id: string }>(...trusting, '--wallet-key', keyFile);
  answersOf('marketplace.trustedPublishers.create', 201)(added);
  const [, line = ''] = /^ {6}- run: (capstan publish .*)$/m.exec(block('workflow')) ?? [];
  const args = argsOf(`GITHUB_REF_NAME=v1.1.0; ${ours(line)}`);
  await stand.write('words/SKILL.md', words('Second'));
  const env = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.url}/job?api=2`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: JOB_SECRET,
    CAPSTAN_TOKEN: 'of-nobody',
    CI: 'true',
  };
  const elsewhere = await call(args, { env });
  assert.equal(elsewhere.code, 4, 'the job names no environment');
  assert.match(elsewhere.err, /does not trust \\"ana\/words\\"/);
  issuer.claims = { environment: 'release', ref: 'refs/tags/v1.1.0' };
  const published = await call(args, { env });
  assert.equal(published.code, 0, published.err);
  assert.equal(JSON.parse(published.out).version, '1.1.0');
  assert.ok(!published.err.includes('eyJ') && !published.err.includes('capub_'), 'no token is printed');
  assert.equal((await call(args, { env: { CI: 'true' } })).code, 2);
  const around = { ...env, CAPSTAN_URL: url, LISTING: id, PATH: process.env.PATH };
  const [, answer = ''] = /`published_by`(?:.*?)```\n\n```\n(.*?)\n```/s.exec(guide) ?? [];
  assert.equal(await bash(block('shown'), around), answer);
  assert.equal(await bash(ours(block('exchange')), around), '1.2.0');
  const listed = await json<{ items: { id: string }[] }>('trust', 'list', 'cli-lang/words');
  assert.deepEqual(
    listed.items.map((item) => item.id),
    [added.id],
  );
  assert.equal((await call(['trust', 'remove', 'cli-lang/words', added.id])).code, 0);
  assert.match((await call(['trust', 'list', 'cli-lang/words', '--text'])).out, /No workflow is trusted/);
});

/** The words of a command as a shell reads them, without its name. */
function argsOf(script: string): string[] {
  const { stdout } = spawnSync('bash', ['-c', `capstan() { printf '%s\\0' "$@"; }\n${script}`], { encoding: 'utf8' });
  return stdout.split('\0').slice(0, -1);
}

async function bash(script: string, env: Record<string, string | undefined>): Promise<string> {
  const child = spawn('bash', ['-eu', '-o', 'pipefail', '-c', script], { cwd: home, env, timeout: 30_000 });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  assert.equal(await new Promise((resolve) => child.once('close', resolve)), 0, err);
  return out.trim();
}

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CONTRACT_VERSION } from '../../src/app/contract.ts';
import { forget, listInstalled, remember } from '../src/install/journal.ts';
import { openBrowser, type World } from '../src/world.ts';
import { openStand } from './stand.ts';

/** The program with a malicious service. */

const stand = await openStand('http://evil.example');
after(() => stand[Symbol.asyncDispose]());
const { call } = stand;

/** A service that returns the given body for any request. */
const saying = (body: unknown, status = 200) => ({
  fetch: async (address: string) =>
    Response.json(/version/.test(address) ? { version: CONTRACT_VERSION } : body, { status }),
});

test('no response of a service can control the terminal, in any command or format', async () => {
  const evil = 'x\u001b]0;t\u0007\u009b2J\u001b[8m\u202e';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  const hidden = /[\u0000-\u0009\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202e]|\u001b(?!\[(?:[12]|22|3\d|39)m)/;
  const task = { id: evil, status: evil, output: evil, title: evil, created_at: evil, capability: {}, error: null };
  const session = { user: { id: 'u', display_name: evil }, tier: evil, scopes: [evil], quota: { limit: null } };
  const key = { key: evil };
  for (const args of [['tasks', 'show', 'x'], ['tasks', 'cancel', 'x'], ['whoami']])
    for (const format of ['--text', '--json']) {
      const of = args[0] === 'tasks' ? task : { ...session, ...key };
      const { out, err } = await call([...args, format], { ...saying(of), tty: true, env: { FORCE_COLOR: '1' } });
      assert.ok(out !== '', err);
      assert.doesNotMatch(out + err, hidden, args.join(' '));
      if (format === '--json') assert.deepEqual(JSON.parse(out), of);
    }
  const problem = {
    code: evil,
    detail: evil,
    request_id: evil,
    type: 'http://[',
    errors: [null, 7, { pointer: evil }],
  };
  const failed = await call(['tasks', 'show', 'x', '--text'], { ...saying(problem, 404), tty: true });
  assert.equal(failed.code, 3);
  assert.doesNotMatch(failed.err, hidden);
  const forged = await call(['tasks', 'show', 'x', '--text'], saying({ ...task, title: 'a\nstatus      completed' }));
  assert.doesNotMatch(forged.out, /^status\s+completed/m);
});

test('install refuses paths from the service other than known client configuration files', async () => {
  const value = { command: 'evil' };
  const item = (config: object) => ({
    installs: { name: 'x', command: '', clients: [{ client: 'cursor', title: '', command: '', config }] },
    listing_type: 'server',
  });
  const good = { format: 'json', user_file: '.cursor/mcp.json', project_file: '', key: 'mcpServers', value };
  const evil = [
    ...['../x.json', '/x.json', '.cursor/../../x.json', '.bashrc', 'a\\..\\x.json'].map((user_file) => ({ user_file })),
    ...['hooks', '__proto__', ''].map((key) => ({ key })),
    { format: 'yaml' },
  ];
  for (const change of evil) {
    const answer = saying(item({ ...good, ...change }));
    const { code, err } = await call(['install', 'glama/a/b', '-c', 'cursor', '--force'], answer);
    assert.deepEqual([code, JSON.parse(err).error.code], [1, 'cli.path'], JSON.stringify(change));
  }
});

test('concurrent calls do not lose each other’s entries in the list of installed items', async () => {
  const { home } = stand;
  const world = { home, env: {} } as World;
  const names = Array.from({ length: 8 }, (_, at) => `ref-${at}`);
  const of = { url: '', client: '', changes: [] };
  const made = await Promise.all(names.map((ref) => remember(world, { ref, ...of })));
  assert.deepEqual((await listInstalled(world)).map(({ ref }) => ref).sort(), names);
  await Promise.all(made.map(({ id }) => forget(world, id)));
  assert.deepEqual(await listInstalled(world), []);
});

test('openBrowser() opens only http and https URLs', async () => {
  for (const url of ['file:///etc/passwd', '-a Calculator', 'javascript:alert(1)', 'https:x'])
    assert.equal(await openBrowser(url, 'linux'), false, url);
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CONTRACT_VERSION } from '../../src/app/contract.ts';
import { openProxy } from '../../test/fakes/proxy.ts';
import { fetchOf } from '../src/world.ts';
import { openStand } from './stand.ts';

/** Conventions that users expect of every command-line program, with a fake service. */

const stand = await openStand('http://service.example');
after(() => stand[Symbol.asyncDispose]());
const { call } = stand;

type Told = { method: string; path: string; body: unknown };

/** A service with scripted responses by path, which records its requests. */
function serving(answers: Record<string, (asked: Told) => Response | object>) {
  const asked: Told[] = [];
  const fetch = async (address: string, init?: RequestInit): Promise<Response> => {
    const { pathname } = new URL(address);
    if (pathname === '/api/schema/version') return Response.json({ version: CONTRACT_VERSION });
    const sent = { method: `${init?.method}`, path: pathname, body: init?.body && JSON.parse(`${init.body}`) };
    asked.push(sent);
    const answer = answers[pathname]?.(sent) ?? new Response(null, { status: 404 });
    return answer instanceof Response ? answer : Response.json(answer);
  };
  return { fetch, asked };
}

const ID = '01a20454-8e80-7eca-8bbf-2f843ebe6ff1';
const TASK = {
  id: ID,
  title: 'Weather',
  status: 'working',
  output: { warm: true },
  output_files: [],
  receipt_id: null,
};
const PATH = `/api/agents/tasks/${ID}`;

const EVENTS = [
  { event: 'status', data: { at: '2026-11-20T12:00:00Z', status: 'working', status_reason: null, attempt: 1 } },
  { event: 'output', data: { at: '2026-11-20T12:00:01Z', stream: 'stderr', text: 'half a ' } },
  { event: 'output', data: { at: '2026-11-20T12:00:01Z', stream: 'stderr', text: 'line\n' } },
  { event: 'status', data: { at: '2026-11-20T12:00:02Z', status: 'completed', status_reason: null, attempt: 1 } },
];

const eventsOf = (): Response =>
  new Response(EVENTS.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });

const running = () => serving({ [PATH]: () => ({ ...TASK, status: 'completed' }), [`${PATH}/events`]: eventsOf });

const searching = () =>
  serving({
    '/api/marketplace/search': () => ({ items: [], total_count: 40, limit: 10, offset: 0 }),
  });

test('data goes to stdout and messages to stderr, as JSON with --json or when not on a terminal', async () => {
  const shapes: [string[], boolean, boolean][] = [
    [[], false, true],
    [[], true, false],
    [['--json'], true, true],
    [['--text'], false, false],
  ];
  for (const [flags, tty, isJson] of shapes) {
    const { code, out, err } = await call(['search', 'x', ...flags], { ...searching(), tty });
    assert.equal(code, 0);
    assert.equal(out, isJson ? (tty ? out : '{"items":[],"total_count":40,"limit":10,"offset":0}\n') : '');
    if (isJson) assert.equal(JSON.parse(out).total_count, 40);
    assert.match(err, /0 of 40; next page: --offset 0/);
  }
  assert.equal((await call(['search', 'x', '--quiet'], searching())).err, '');
});

test('tasks watch prints events as lines of JSON, with the result last', async () => {
  const { out, err } = await call(['tasks', 'watch', ID], running());
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(lines.slice(0, -1), EVENTS);
  assert.equal(lines.at(-1).event, 'result');
  assert.deepEqual(lines.at(-1).data.output, TASK.output);
  assert.doesNotMatch(err, /half a/);
  const people = await call(['tasks', 'watch', ID, '--text'], running());
  assert.match(people.err, /^half a line\n/);
  assert.equal(people.out, '{\n  "warm": true\n}\n');
});

test('without a terminal, a task that a server asks something says what answers it', async () => {
  const server_question = {
    id: ID,
    message: 'The server "a" asks: Which harbour?',
    schema: {},
    expires_at: '2026-11-20T12:05:00Z',
  };
  const asks = { ...TASK, status: 'input_required', status_reason: 'server_asks', server_question };
  const status = { at: '2026-11-20T12:00:00Z', status: 'input_required', status_reason: 'server_asks', attempt: 1 };
  const events = () =>
    new Response(`id: 1\nevent: status\ndata: ${JSON.stringify(status)}\n\n`, {
      headers: { 'content-type': 'text/event-stream' },
    });
  const service = serving({ [PATH]: () => asks, [`${PATH}/events`]: events });
  const { code, err } = await call(['tasks', 'watch', ID], service);
  assert.equal(code, 1);
  assert.match(err, /Which harbour\?/);
  assert.match(err, /Run this in a terminal.*capstan tasks answer <id>/);
});

test('each kind of failure has an exit code, an error code and a fix', async () => {
  const answering = (status: number, title = '') => serving({ [PATH]: () => Response.json({ title }, { status }) });
  const cases: [number, string[], ReturnType<typeof serving>][] = [
    [1, ['tasks', 'show', ID], answering(500)],
    [1, ['tasks', 'show', ID], answering(429)],
    [2, ['tasks', 'show', ID], answering(400)],
    [2, ['tasks', 'show', ID], answering(422)],
    [2, ['tasks', 'show'], answering(200)],
    [2, ['tasks', 'show', ID, '--what'], answering(200)],
    [2, ['tasks', 'list', '--status', 'asleep'], answering(200)],
    [2, ['tasks', 'list', '--limit', 'many'], answering(200)],
    [2, ['verify', 'nowhere.json'], answering(200)],
    [3, ['tasks', 'show', ID], answering(404)],
    [3, ['tasks', 'show', ID], answering(410)],
    [4, ['tasks', 'show', ID], answering(401)],
    [4, ['tasks', 'show', ID], answering(401, 'Signature required')],
    [4, ['tasks', 'show', ID], answering(403)],
    [5, ['tasks', 'show', ID], answering(409)],
  ];
  for (const [expected, args, service] of cases) {
    const { code, out, err } = await call(args, service);
    const { error } = JSON.parse(err);
    assert.deepEqual([code, out], [expected, ''], err);
    assert.ok(error.code !== '' && error.fix !== '' && error.detail !== '' && error.exit_code === code, err);
  }
  const people = await call(['tasks', 'show', '--text'], answering(200));
  assert.match(
    people.err,
    /^error missing required argument 'id' \(cli\.usage\)\nfix {3}See: capstan tasks show --help\n$/,
  );
});

test('publish --dry-run sends only a dry run to the service', async () => {
  const published = { published: false, name: 'ana/x', version: '1.0.0', claim_text: '', findings: { items: [] } };
  const service = serving({ '/api/marketplace/listings': () => published });
  await stand.write('SKILL.md', 'x');
  const args = ['publish', '.', 'ana/x', '--release', '1.0.0', '--license', 'MIT', '--dry-run'];
  assert.equal((await call(args, service)).code, 0);
  assert.deepEqual(
    service.asked.map(({ body }) => (body as { dry_run: boolean }).dry_run),
    [true],
  );
});

test('never prompts or opens a browser with --no-input, in CI or without a terminal', async () => {
  const openBrowser = () => assert.fail('a browser was opened');
  const { code, err } = await call(['login', '--no-input'], { tty: true, openBrowser });
  assert.equal(code, 2);
  assert.match(err, /--with-token, --wallet or --email/);
  for (const [flags, more] of [
    [['--no-input'], { tty: true }],
    [[], { tty: true, env: { CI: 'true' } }],
    [[], {}],
  ] as const) {
    const stored = await call(['connections', 'credential', ID, ...flags], { ...serving({}), ...more });
    assert.match(stored.err, /stdin contains no secret/);
  }
});

test('uses colors on terminals only, and not with NO_COLOR, in CI or on a dumb terminal', async () => {
  const colour = '\u001b[3';
  const failing = (env: Record<string, string>, tty = true) =>
    call(['tasks', 'show', ID, '--text'], { ...serving({}), tty, env });
  assert.ok((await failing({})).err.includes(colour));
  assert.ok((await failing({ FORCE_COLOR: '1' }, false)).err.includes(colour));
  for (const env of [{ NO_COLOR: '1' }, { CI: 'true' }, { TERM: 'dumb' }])
    assert.ok(!(await failing(env as never)).err.includes(colour));
  assert.ok(!(await failing({}, false)).err.includes(colour));
});

test('shows a spinner only on an interactive terminal', async () => {
  const watch = (more: object, ...flags: string[]) => call(['tasks', 'watch', ID, ...flags], { ...running(), ...more });
  const { err } = await watch({ tty: true, env: { NO_COLOR: '1' } });
  assert.match(err, /\r⠋ Weather: working \(0 s\)/);
  assert.match(err, /\r {3,}\rhalf a line\n/, 'a line that has not ended is left alone');
  assert.match(err, /\r {3,}\rtask .*\n$/s, 'nothing of it is left');
  assert.ok(!err.includes('\u001b'), 'not even a colour');
  const silent = [
    await watch({}),
    await watch({ tty: true }, '--json'),
    await watch({ tty: true }, '--no-input'),
    await watch({ tty: true }, '--quiet'),
    await watch({ tty: true, env: { CI: '1' } }),
    await watch({ tty: true, env: { TERM: 'dumb' } }),
  ];
  for (const called of silent) assert.doesNotMatch(called.err, /\r/);
});

test('install shows a progress bar for the files that it fetches', async () => {
  const files = ['SKILL.md', 'a.md'].map((path) => ({ path, sha256: EMPTY }));
  const service = serving({
    '/api/skills/two': () => ({ files }),
    '/api/skills/two/SKILL.md': () => new Response(''),
    '/api/skills/two/a.md': () => new Response(''),
  });
  const { code, err } = await call(['install', 'two', '-c', 'any', '--dry-run'], { ...service, tty: true });
  assert.equal(code, 0, err);
  assert.match(err, /█{10}░{10} 50 % fetching two 1\/2/);
  assert.match(err, /█{20} 100 % fetching two 2\/2/);
});

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

test('uses the proxies of the environment, except for hosts in NO_PROXY and loopback', async () => {
  const service = createServer((request, response) => {
    const version = request.url === '/api/schema/version' ? { version: CONTRACT_VERSION } : { name: 'x' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(version));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  await using proxy = await openProxy(port);
  const show = (url: string, env: Record<string, string>) =>
    call(['show', 'x', '--url', url], { fetch: fetchOf(env), env });
  try {
    assert.equal((await show('http://far.example', { HTTP_PROXY: proxy.url })).code, 0);
    assert.deepEqual(proxy.asked.splice(0), [
      'GET http://far.example/api/schema/version',
      'GET http://far.example/api/skills/x',
    ]);
    // The proxy does not speak TLS, so only the CONNECT request is checked.
    await fetchOf({ https_proxy: proxy.url })('https://far.example/').catch(() => {});
    assert.deepEqual(proxy.asked.splice(0), ['CONNECT far.example:443']);
    assert.equal((await show(`http://127.0.0.1:${port}`, { HTTP_PROXY: proxy.url })).code, 0);
    await fetchOf({ HTTP_PROXY: proxy.url, NO_PROXY: '.invalid' })('http://far.invalid/').catch(() => {});
    assert.deepEqual(proxy.asked, []);
    const wrong = await show('http://far.example', { HTTP_PROXY: 'ftp://user:hunter2@proxy' });
    assert.match(wrong.err, /HTTP_PROXY or HTTPS_PROXY is not a valid proxy URL/);
    assert.doesNotMatch(wrong.err, /hunter2/);
  } finally {
    service.close();
  }
});

test('exits with 1 if the service has another major version of the contract', async () => {
  const [major = 0] = CONTRACT_VERSION.split('.').map(Number);
  const other = { fetch: async () => Response.json({ version: `${major + 1}.0.0` }) };
  const { code, err } = await call(['tasks', 'show', ID], other);
  assert.equal(code, 1);
  assert.match(err, /cli\.drift.*@capstan\/cli/);
});

test('every command and option has a help text', async () => {
  const { out } = await call(['help']);
  const names = [...out.matchAll(/^ {2}([a-z]+)[ |]/gm)].map(([, name]) => name as string);
  assert.ok(names.length >= 20, out);
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
  for (const command of ['login', 'search', 'show', 'run', 'trace', 'verify', 'install', 'undo'])
    assert.match(readme, new RegExp(`capstan ${command}`));
  for (const name of names) {
    const help = await call([name, '--help']);
    assert.equal(help.code, 0);
    for (const line of help.out.split('\n').filter((line) => /^ {2}-/.test(line))) assert.match(line, / {2}\S/, line);
  }
});

test('share prints a link once, previews without sharing, and revokes every link', async () => {
  const shows = { input: true, trace: false, names: false };
  const made = { id: 'share-1', shows, created_at: '2026-11-20T12:00:00Z', expires_at: null };
  const service = serving({
    [`${PATH}/shares`]: ({ method }) =>
      method === 'POST'
        ? { ...made, token: 'secret', path: '/r/secret' }
        : { items: [made, { ...made, id: 'share-2' }] },
    [`${PATH}/shares/preview`]: () => ({ output: 'shown' }),
    [`${PATH}/shares/share-1`]: () => ({ deleted: true }),
    [`${PATH}/shares/share-2`]: () => ({ deleted: true }),
  });
  const shared = JSON.parse((await call(['share', ID, '--input'], service)).out);
  assert.deepEqual([shared.url, shared.token], ['http://service.example/r/secret', undefined]);
  assert.deepEqual(service.asked.at(-1)?.body, { ...shows });
  assert.deepEqual(JSON.parse((await call(['share', ID, '--preview'], service)).out), { preview: { output: 'shown' } });
  assert.equal(service.asked.filter(({ method }) => method === 'POST').length, 1);
  assert.deepEqual(JSON.parse((await call(['share', ID, '--revoke'], service)).out), { revoked: 2 });
  assert.deepEqual(
    service.asked.filter(({ method }) => method === 'DELETE').map(({ path }) => path),
    [`${PATH}/shares/share-1`, `${PATH}/shares/share-2`],
  );
  assert.equal((await call(['share', ID, '--list', '--revoke'], service)).code, 2);
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { PAGE_COOKIE } from '#accounts/auth/page-cookie.ts';
import { createBrowser } from './fakes/browser.ts';
import { openGoogleStand } from './google-stand.ts';

/** The code of the guides, run as a reader would run it against the real app. */

const ROOT = new URL('..', import.meta.url).pathname;
const guide = await readFile(`${ROOT}docs/guides/sign-in.md`, 'utf8');

/** ```js run: parts of one program for Node. ```js browser: what a page does. */
const blocks = (kind: 'run' | 'browser'): string[] =>
  [...guide.matchAll(/^```js (\w+)\n(.*?)^```$/gms)]
    .filter((match) => match[1] === kind)
    .map((match) => match[2] as string);

const stand = await openGoogleStand({}, 'serve');
after(() => stand[Symbol.asyncDispose]());

test('the program of the sign-in guide runs and prints what the guide shows', async () => {
  const program = spawn(process.execPath, ['--input-type=module', '-'], {
    cwd: ROOT,
    env: { CAPSTAN_URL: stand.url, DATA_DIR: stand.world.data_dir },
    timeout: 60_000,
  });
  const accounts = new URL('ethereum-account.ts', import.meta.url).href;
  program.stdin.end(blocks('run').join('\n').replace("'viem/accounts'", `'${accounts}'`));
  const exit = new Promise((resolve) => program.once('close', resolve));
  const [said, complaint] = await Promise.all([text(program.stdout), text(program.stderr)]);
  assert.equal(await exit, 0, complaint);
  const expected = [
    /^Ethereum: signed in as [0-9a-f-]{36} until \d{4}-.*Z$/,
    /^Solana: signed in as [0-9a-f-]{36}$/,
    /^Session: free read\+write 0 of 100 used$/,
    /^Refreshed: until \d{4}-.*Z$/,
    /^Profile: wallet$/,
    /^API key: true read$/,
    /^Email: signed in as Ada$/,
    /^Logged out: auth\.token_invalid: /,
  ];
  const lines = said.trim().split('\n');
  assert.equal(lines.length, expected.length, said);
  for (const [at, line] of lines.entries()) assert.match(line, expected[at] as RegExp);
});

test('the page of the sign-in guide starts a Google sign-in, which ends with a valid token in the cookie', async () => {
  const [code] = blocks('browser') as [string];
  const browser = createBrowser();
  const location = { href: '' };
  const page = { fetch: (path: string, init: RequestInit) => browser.send(stand.url + path, init), location };
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  await new AsyncFunction(...Object.keys(page), code)(...Object.values(page));
  const { url } = await browser.visit(location.href, `${stand.url}/api/auth/google/callback`);
  const answer = await browser.send(url);
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, `${stand.url}/`]);
  const token = browser.cookies(stand.url).get(PAGE_COOKIE);
  const session = await fetch(`${stand.url}/api/auth/session`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(session.status, 200);
});

test('every code block of the guide is covered by a test', () => {
  const fences = [...guide.matchAll(/^```(.+)$/gm)].map((match) => match[1]);
  assert.deepEqual(
    fences.filter((fence) => fence !== 'js run' && fence !== 'js browser'),
    [],
  );
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { sha256 } from '#core/crypto/sha256.ts';
import { loadSkills, SKILLS_DIR } from '#runtime/skills/load-skills.ts';

import { accountsOf } from './accounts.ts';
import { saveAll } from './interop-stand.ts';
import { listing } from './listings.ts';
import { skillFiles } from './publishing-stand.ts';
import { openWorld } from './world.ts';

/** The clients that people really use, against the running service: in a home of their own, without another network. */

const world = await openWorld();
after(() => world.close());
await saveAll(world.database.db, [
  listing('skills-sh', 'ann/kit/pdf-tools', { name: 'pdf-tools', downloads: 1_500 }),
  listing('clawhub', 'bob/pdf-thief', { name: 'pdf-thief', downloads: 9_999 }),
]);
await world.catalog.refresh();
const { url } = await world.listen();
const shelf = await loadSkills(SKILLS_DIR);

const CLIENTS = { skills: 'skills/bin/cli.mjs', 'add-mcp': 'add-mcp/dist/index.js' };

async function run(client: keyof typeof CLIENTS, args: string[], env: Record<string, string> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'capstan-client-'));
  after(() => rm(home, { recursive: true, force: true }));
  const file = new URL(`../node_modules/${CLIENTS[client]}`, import.meta.url).pathname;
  const child = spawn(process.execPath, [file, ...args], {
    cwd: home,
    env: { HOME: home, PATH: process.env.PATH ?? '', DO_NOT_TRACK: '1', NO_COLOR: '1', CI: '1', ...env },
    timeout: 30_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise((resolve) => child.once('close', resolve));
  const said = (await Promise.all([text(child.stdout), text(child.stderr)])).join('\n');
  return { code: await exit, said: stripVTControlCharacters(said), home };
}

const INSTALL = ['-a', 'claude-code', '-y', '--copy'];
const ROOT = '.claude/skills';

test('npx skills add <host> installs every skill, byte for byte', async () => {
  const { code, said, home } = await run('skills', ['add', url, ...INSTALL]);
  assert.equal(code, 0, said);
  assert.deepEqual((await readdir(join(home, ROOT))).sort(), shelf.skills.map((skill) => skill.name).sort());
  for (const { name, contents } of shelf.skills)
    for (const [path, bytes] of contents)
      assert.deepEqual(await readFile(join(home, ROOT, name, path)), Buffer.from(bytes), `${name}/${path}`);
});

test('npx skills add <host>/skills/<name> installs only that skill', async () => {
  const { code, said, home } = await run('skills', ['add', `${url}/skills/json-diff`, ...INSTALL]);
  assert.equal(code, 0, said);
  assert.deepEqual(await readdir(join(home, ROOT)), ['json-diff']);
});

test('npx skills find searches this service and omits skills that npx would install from another source', async () => {
  const { code, said } = await run('skills', ['find', 'pdf'], { SKILLS_API_URL: url });
  assert.equal(code, 0, said);
  assert.match(said, /ann\/kit@pdf-tools 1\.5K installs/);
  assert.doesNotMatch(said, /thief/);
});

test('a published skill is found by npx skills find and installed under the name shown', async () => {
  const { token } = await (await accountsOf(world)).signUp();
  const files = skillFiles('count');
  const published = await world.fetch('/api/marketplace/listings', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'ada-lang/count', version: '1.0.0', license: 'MIT', files }),
  });
  assert.equal(published.status, 201, await published.text());
  const found = await run('skills', ['find', 'count words'], { SKILLS_API_URL: url });
  assert.match(found.said, /ada-lang-count/, found.said);
  const index = (await (await fetch(`${url}/.well-known/agent-skills/index.json`)).json()) as {
    skills: { name: string; url: string; digest: string }[];
  };
  for (const { name, url: path, digest } of index.skills) {
    const bytes = new Uint8Array(await (await fetch(new URL(path, url))).arrayBuffer());
    assert.equal(`sha256:${sha256(bytes)}`, digest, name);
  }
  const { code, said, home } = await run('skills', ['add', url, '--skill', 'ada-lang-count', ...INSTALL]);
  assert.equal(code, 0, said);
  const [folder = ''] = await readdir(join(home, ROOT));
  for (const { path, content } of files) assert.equal(await readFile(join(home, ROOT, folder, path), 'utf8'), content);
});

test("npx add-mcp <url> adds the endpoint to the client's configuration", async () => {
  const endpoint = `${url}/mcp/jsonrpc`;
  const { code, said, home } = await run('add-mcp', [endpoint, '-a', 'vscode', '-n', 'capstan', '-y']);
  assert.equal(code, 0, said);
  const { servers } = JSON.parse(await readFile(join(home, '.vscode/mcp.json'), 'utf8'));
  assert.deepEqual(servers.capstan, { type: 'http', url: endpoint });
});

import { spawnSync } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { createUser } from '#accounts/users/users.ts';
import { openDatabase } from '#core/db/open.ts';
import { capstand, freshDir } from '../process/capstand.ts';

/**
 * `npm run soak -- disk-full` (as root, on Linux): the service on its own disk, which is filled to the last block while
 * it works. Writes are refused with a 503 that says so and nothing acknowledged is lost; reads go on; once there is room again all
 * is well without a restart, and the database is whole.
 */
const SIZE_MB = 48;
const BACK_MS = 10_000;

const dir = await freshDir();
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'none', dir], { encoding: 'utf8' });
if (mounted.status !== 0) {
  console.log(`skipped: a disk of its own takes root (${mounted.stderr.trim()})`);
  process.exit(0);
}
process.on('exit', () => spawnSync('umount', ['-l', dir]));

const env = { DATA_DIR: dir, CAPSTAN_LIMIT_WALLET: '100000/1m' };
const migrated = await capstand(['migrate'], env).ended;
if (migrated.code !== 0) throw new Error(migrated.stderr);
const database = await openDatabase({ engine: 'sqlite', path: join(dir, 'capstan.db'), thread: 'same' });
const now = new Date().toISOString();
const user = await createUser(database.db, 'Ada', now);
const { key } = await createApiKey(
  database.db,
  { user_id: user.id, name: 'soak', scopes: ['read', 'write'], expires_at: null },
  now,
);
await database.close();

const service = capstand(['serve'], env);
const url = await service.url();
void service.ended.then(
  ({ code, stderr }) => code !== 0 && console.log(`it ended with ${code}: ${stderr.slice(-2_000)}`),
);
while ((await fetch(`${url}/readyz`)).status !== 200) await sleep(100);

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const acknowledged: string[] = [];

/** A task with an input of some size: what is acknowledged is remembered. */
async function write(): Promise<string> {
  const before = 'x'.repeat(50_000);
  const answer = await fetch(`${url}/api/agents/tasks`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ capability: { kind: 'skill', ref: 'json-diff' }, input: { before, after: '2' } }),
  });
  const said = (await answer.json()) as { id: string; code?: string };
  if (answer.status === 201) acknowledged.push(said.id);
  return answer.status === 201 ? '201' : `${answer.status} ${said.code}`;
}
const read = async (): Promise<number[]> =>
  Promise.all(
    ['/api/marketplace/registry', '/api/skills', '/healthz', '/readyz'].map(
      async (path) => (await fetch(url + path)).status,
    ),
  );

let holds = true;
function expect(isSo: boolean, what: string): void {
  if (isSo) return;
  holds = false;
  console.log(`NOT SO: ${what}`);
}

expect((await write()) === '201', 'a task is made while there is room');
const { bavail, bsize } = await statfs(dir);
const filler = join(dir, 'filler');
await writeFile(filler, Buffer.alloc(bavail * bsize - 4 * bsize)).catch(() => {});
const refused = new Map<string, number>();
for (let at = 0; at < 200; at++) {
  const said = await write();
  refused.set(said, (refused.get(said) ?? 0) + 1);
}
console.log('writes on a full disk:', Object.fromEntries(refused));
expect(
  [...refused.keys()].every((key) => key === '201' || key.startsWith('503 ')),
  'a write is made or a 503',
);
expect(
  [...refused.keys()].some((key) => key.startsWith('503 ')),
  'the disk was full',
);
const reads = await read();
expect(
  reads.slice(0, 3).every((read) => read === 200),
  `reads go on: ${reads}`,
);
await rm(filler);
const freed = performance.now();
let backMs = Number.POSITIVE_INFINITY;
while (performance.now() - freed < 2 * BACK_MS) {
  if ((await write()) === '201') {
    backMs = performance.now() - freed;
    break;
  }
  await sleep(100);
}
expect(backMs <= BACK_MS, `back within 10 s: ${backMs}`);
const found = await Promise.all(
  acknowledged.map(async (id) => (await fetch(`${url}/api/agents/tasks/${id}`, { headers })).status),
);
expect(
  found.every((status) => status === 200),
  'every acknowledged task is there',
);
service.child.kill('SIGTERM');
const { code, stderr } = await service.ended;
expect(code === 0, `it ends with 0: ${code}`);
expect(!/"level":(50|60)/.test(stderr) || /disk|full/i.test(stderr), 'its log says what was the matter');
const { integrity_check } = new DatabaseSync(join(dir, 'capstan.db')).prepare('PRAGMA integrity_check').get() as {
  integrity_check: string;
};
expect(integrity_check === 'ok', `the database is whole: ${integrity_check}`);
if (!holds) console.log(stderr.slice(0, 3_000));
console.log(
  `${acknowledged.length} tasks acknowledged, all there; back after ${backMs.toFixed(0)} ms; integrity ${integrity_check}`,
);
console.log(holds ? 'holds' : 'does not hold');
process.exit(holds ? 0 : 1);

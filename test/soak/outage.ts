import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { createUser } from '#accounts/users/users.ts';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { exampleItem, saveItems } from '../example-items.ts';
import { startCable } from '../fakes/cable.ts';
import { startPostgres } from '../postgres.ts';
import { capstand, freshDir } from '../process/capstand.ts';

/**
 * `npm run soak -- outage [rounds] [seconds down]`: PostgreSQL goes away under a running service and comes back: by turns it
 * ends, and falls silent as behind a cut cable. Meanwhile writes are refused with 503 within 2 s, the registry and the skills
 * are served from memory, and all is well within 10 s of its return. The tasks that were acknowledged are there after.
 */
const [rounds = 3, downS = 15] = process.argv.slice(2).map(Number);
const REFUSED_MS = 2_000;
const BACK_MS = 10_000;

const postgres = await startPostgres();
const database = await openDatabase({ engine: 'postgres', url: postgres.url, pool_size: 2 });
await migrate(database);
await saveItems(
  database.db,
  Array.from({ length: 500 }, (_, number) => exampleItem(number)),
);
const now = new Date().toISOString();
const user = await createUser(database.db, 'Ada', now);
const key = await createApiKey(
  database.db,
  { user_id: user.id, name: 'soak', scopes: ['read', 'write'], expires_at: null },
  now,
);
await database.close();

const cable = await startCable(Number(new URL(postgres.url).port));
const behind = new URL(postgres.url);
behind.port = `${cable.port}`;
const service = capstand(['serve'], {
  DATABASE_URL: behind.href,
  DATA_DIR: await freshDir(),
  CAPSTAN_SECRET_KEY: randomBytes(32).toString('base64'),
});
void service.ended.then(
  ({ code, stderr }) => code !== 0 && console.log(`the service ended with ${code}: ${stderr.slice(-2_000)}`),
);
const url = await service.url();
while ((await fetch(`${url}/readyz`)).status !== 200) await sleep(100);

const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' };
const BODY = JSON.stringify({ capability: { kind: 'skill', ref: 'json-diff' }, input: { before: '1', after: '2' } });

interface Asked {
  status: number;
  code: string;
  ms: number;
}

async function ask(path: string, init: RequestInit = {}): Promise<Asked> {
  const before = performance.now();
  const answer = await fetch(url + path, { ...init, signal: AbortSignal.timeout(30_000) });
  const text = await answer.text();
  const code = answer.status >= 400 ? (JSON.parse(text) as { code: string }).code : '';
  return { status: answer.status, code, ms: performance.now() - before };
}
const write = () => ask('/api/agents/tasks', { method: 'POST', headers, body: BODY });
const READS = ['/api/marketplace/registry?search=a', '/api/skills', '/api/skills/json-diff', '/healthz'];

let holds = true;
function expect(isSo: boolean, what: string): void {
  if (isSo) return;
  holds = false;
  console.log(`NOT SO: ${what}`);
}

let made = 0;
for (let round = 1; round <= rounds; round++) {
  const before = await write();
  expect(before.status === 201, `round ${round}: a task is made before (${before.status} ${before.code})`);
  if (before.status === 201) made++;
  const way = round % 2 === 1 ? 'ended' : 'silent';
  if (way === 'ended') await postgres.down();
  else cable.cut();
  const refused: Asked[] = [];
  const read: Asked[] = [];
  const until = performance.now() + downS * 1_000;
  while (performance.now() < until) {
    const [refusal, ...reads] = await Promise.all([write(), ...READS.map((path) => ask(path))]);
    refused.push(refusal as Asked);
    read.push(...reads);
    await sleep(100);
  }
  const most = (all: Asked[]) => Math.max(...all.map((asked) => asked.ms));
  expect(
    refused.every((asked) => asked.status === 503 && asked.code === 'database.unavailable'),
    `writes are 503: ${[...new Set(refused.map((asked) => `${asked.status} ${asked.code}`))]}`,
  );
  expect(most(refused) <= REFUSED_MS, `within 2 s: ${most(refused)}`);
  expect(
    read.every((asked) => asked.status === 200),
    `reads are 200: ${[...new Set(read.map((asked) => `${asked.status} ${asked.code}`))]}`,
  );
  const returned = performance.now();
  if (way === 'ended') await postgres.up();
  else cable.mend();
  let backMs = Number.POSITIVE_INFINITY;
  while (performance.now() - returned < 3 * BACK_MS) {
    const { status } = await write();
    if (status === 201) made++;
    if (status === 201 && (await ask('/readyz')).status === 200) {
      backMs = performance.now() - returned;
      break;
    }
    await sleep(100);
  }
  expect(backMs <= BACK_MS, `back within 10 s: ${backMs}`);
  console.log(
    `round ${round}, ${way}: ${refused.length} writes refused, the slowest after ${most(refused).toFixed(0)} ms; ` +
      `${read.length} reads, the slowest ${most(read).toFixed(0)} ms; back after ${backMs.toFixed(0)} ms`,
  );
}
const list = await fetch(`${url}/api/agents/tasks?limit=100`, { headers });
const { total_count } = (await list.json()) as { total_count: number };
expect(total_count >= made, `${made} tasks acknowledged, ${total_count} there`);
service.child.kill('SIGTERM');
const { code } = await service.ended;
expect(code === 0, `it ends with 0: ${code}`);
cable.close();
await postgres.stop();
console.log(holds ? 'holds' : 'does not hold');
process.exit(holds ? 0 : 1);

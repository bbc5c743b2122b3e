import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { neverRepeatingMix } from '../../bench/catalog/mixes.ts';
import { runningWords, syntheticItems } from '../../bench/catalog/synthetic.ts';
import { saveItems } from '../example-items.ts';
import { capstand, freshDir } from '../process/capstand.ts';

/**
 * `npm run soak -- hung-provider [seconds] [listings]`: two services side by side, asked in turn; the providers of one take
 * every request and never answer. Its list may be no slower at p99, give or take a tenth.
 */
const [seconds = 60, listings = 20_000] = process.argv.slice(2).map(Number);
const MOST = 1.1;
/** Below this a scheduler's whim is more than a tenth. */
const NOISE_MS = 1;
const PAUSE_MS = 4;

let taken = 0;
const hung = createServer(() => void taken++).listen(0, '127.0.0.1');
await once(hung, 'listening');
const address = `http://127.0.0.1:${(hung.address() as AddressInfo).port}`;

const items = syntheticItems(listings, runningWords());
async function start(env: Record<string, string>) {
  const dir = await freshDir();
  const database = await openDatabase({ engine: 'sqlite', path: join(dir, 'capstan.db'), thread: 'same' });
  await migrate(database);
  await saveItems(database.db, items);
  await database.close();
  const service = capstand(['serve'], { DATA_DIR: dir, ...env });
  const url = await service.url();
  while ((await fetch(`${url}/readyz`)).status !== 200) await sleep(100);
  return { ...service, url };
}

const plain = await start({});
const hanging = await start({
  CAPSTAN_PROVIDERS: 'glama,smithery',
  CAPSTAN_PROVIDER_GLAMA_URL: address,
  CAPSTAN_PROVIDER_SMITHERY_URL: address,
});
const paths = neverRepeatingMix(100_000, items);
const times = { plain: [] as number[], hanging: [] as number[] };

async function ask(url: string, path: string): Promise<number> {
  const before = performance.now();
  const answer = await fetch(url + path);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${answer.status} for ${path}`);
  return performance.now() - before;
}

for (const path of paths.slice(-500)) await Promise.all([ask(plain.url, path), ask(hanging.url, path)]);
const until = performance.now() + seconds * 1_000;
for (let at = 0; performance.now() < until; at++) {
  const path = paths[at % paths.length] as string;
  for (const name of at % 2 === 0 ? (['plain', 'hanging'] as const) : (['hanging', 'plain'] as const)) {
    times[name].push(await ask(name === 'plain' ? plain.url : hanging.url, path));
    await sleep(PAUSE_MS);
  }
}
for (const service of [plain, hanging]) {
  service.child.kill('SIGTERM');
  await service.ended;
}
hung.closeAllConnections();
hung.close();

const p99 = (all: number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? 0;
const [withMs, withoutMs] = [p99(times.hanging), p99(times.plain)];
console.log(`${times.plain.length} lists each, ${taken} requests taken by the hung providers`);
console.log(
  `p99 ${withMs.toFixed(2)} ms beside hung providers, ${withoutMs.toFixed(2)} ms without: ${(withMs / withoutMs).toFixed(2)}`,
);
const holds = taken > 0 && withMs <= Math.max(withoutMs * MOST, withoutMs + NOISE_MS);
console.log(holds ? 'holds' : 'does not hold');
process.exit(holds ? 0 : 1);

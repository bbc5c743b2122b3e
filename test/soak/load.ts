import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { seeded } from '../../bench/catalog/random.ts';
import { runningWords, syntheticItems } from '../../bench/catalog/synthetic.ts';
import { saveItems } from '../example-items.ts';
import { capstand, freshDir } from '../process/capstand.ts';

/**
 * `npm run soak -- load [minutes] [requests a second] [listings]`: pages of 200 listings, hardly one asked twice, at a rate
 * that does not wait for answers: each is timed from when it was due. What the process keeps in memory may not grow.
 */
const [minutes = 15, rate = 500, listings = 100_000] = process.argv.slice(2).map(Number);
const P95_MS = 100;
const GROWTH = 1.1;
/** By then the compilers have seen the code, and the caches are full. */
const WARM_S = Math.min(60, (minutes * 60) / 5);

const dir = await freshDir();
const database = await openDatabase({ engine: 'sqlite', path: join(dir, 'capstan.db'), thread: 'same' });
await migrate(database);
await saveItems(database.db, syntheticItems(listings, runningWords()));
await database.close();

const service = capstand(['serve'], { DATA_DIR: dir });
const { port } = new URL(await service.url());
while ((await fetch(`http://127.0.0.1:${port}/readyz`)).status !== 200) await sleep(100);

const residentMb = (): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))?.[1]) / 1024;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const random = seeded(7);
const times: number[] = [];
const statuses = new Map<number | string, number>();
const count = (status: number | string) => statuses.set(status, (statuses.get(status) ?? 0) + 1);

function ask(due: number, timed: boolean): Promise<void> {
  const path = `/api/marketplace/registry?limit=200&offset=${random(listings - 200)}`;
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => {
      count(error.code ?? error.message);
      resolve();
    };
    get({ port, path, agent, host: '127.0.0.1', timeout: 30_000 }, (answer) => {
      answer.resume().once('error', fail);
      answer.once('end', () => {
        if (timed) times.push(performance.now() - due);
        count(answer.statusCode ?? 0);
        resolve();
      });
    }).once('error', fail);
  });
}

/** Asks at the rate for so long, and waits for the last answer. */
async function run(seconds: number, timed: boolean): Promise<void> {
  const started = performance.now();
  const open = new Set<Promise<void>>();
  const total = seconds * rate;
  for (let sent = 0; sent < total; ) {
    const dueCount = Math.min(total, Math.floor(((performance.now() - started) / 1_000) * rate));
    for (; sent < dueCount; sent++) {
      const asked = ask(started + (sent / rate) * 1_000, timed).finally(() => open.delete(asked));
      open.add(asked);
    }
    await sleep(2);
  }
  await Promise.all(open);
}

await run(WARM_S, false);
const warmMb = residentMb();
let mostMb = warmMb;
const watch = setInterval(() => {
  mostMb = Math.max(mostMb, residentMb());
}, 1_000);
const started = performance.now();
await run(minutes * 60, true);
clearInterval(watch);
const spentS = (performance.now() - started) / 1_000;
const endMb = residentMb();
agent.destroy();
service.child.kill('SIGTERM');
await service.ended;

times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.POSITIVE_INFINITY;
console.log(
  `${times.length} pages of 200 of ${listings} listings in ${spentS.toFixed(0)} s`,
  Object.fromEntries(statuses),
);
console.log(
  `ms from when each was due: p50 ${at(0.5).toFixed(1)}, p95 ${at(0.95).toFixed(1)}, p99 ${at(0.99).toFixed(1)}, most ${at(1).toFixed(0)}`,
);
console.log(`resident MB: ${warmMb.toFixed(0)} warm, ${mostMb.toFixed(0)} at most, ${endMb.toFixed(0)} at the end`);
const failed = [...statuses].some(([status]) => status !== 200);
const holds = !failed && at(0.95) <= P95_MS && endMb <= warmMb * GROWTH;
console.log(
  holds ? 'holds' : `does not hold: p95 at most ${P95_MS} ms, memory at most ${GROWTH} times, every answer 200`,
);
process.exit(holds ? 0 : 1);

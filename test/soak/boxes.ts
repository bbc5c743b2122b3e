import { readdirSync, readFileSync } from 'node:fs';
import { ATTACKS } from '#runtime/boxes/attacks.ts';
import { openBwrapDriver } from '#runtime/boxes/bwrap-driver.ts';
import { openCanary } from '#runtime/boxes/canary.ts';
import { runAttack } from '#runtime/boxes/run-attack.ts';

/**
 * `npm run soak -- boxes [rounds]`: every attack in a box, round after round, four at once. Each must be refused each time,
 * and no process, no descriptor and no file is left at the end.
 */
const [rounds = 10] = process.argv.slice(2).map(Number);
const AT_ONCE = 4;

const driver = await openBwrapDriver();
if (driver.isolation === null) {
  console.error((await driver.selfTest()).text);
  process.exit(1);
}
const filtered = driver.isolation !== 'bwrap';
const descriptors = (): number => readdirSync('/proc/self/fd').length;
const children = (): string => readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').trim();

let failures = 0;
let firstDescriptors = 0;
for (let round = 1; round <= rounds; round++) {
  const canary = await openCanary();
  const waiting = [...ATTACKS];
  const began = performance.now();
  async function work(): Promise<void> {
    for (let attack = waiting.shift(); attack !== undefined; attack = waiting.shift()) {
      const { verdict, detail } = await runAttack(driver.start, attack, canary, { filtered });
      if (verdict === 'refused') continue;
      failures++;
      console.log(`${verdict}: ${attack.id}: ${detail}`);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await canary.close();
  if (round === 1) firstDescriptors = descriptors();
  const { running, memory_bytes } = driver.counts();
  const rssMib = Math.round(process.memoryUsage().rss / 2 ** 20);
  const tookS = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `round ${round}: ${ATTACKS.length} attacks in ${tookS} s, ${running} running, ${memory_bytes} bytes, ` +
      `${descriptors()} descriptors, ${rssMib} MiB`,
  );
  if (running !== 0 || children() !== '' || descriptors() > firstDescriptors + 2) failures++;
}
await driver.close();
console.log(failures === 0 ? `${driver.isolation}: all held` : `${failures} failures`);
process.exit(failures === 0 ? 0 : 1);

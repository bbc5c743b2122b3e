import { ATTACKS, NOTHING_COMES_OF, sybilWorld } from '../sybil-world.ts';

/**
 * Each attack with a thousand accounts in twenty worlds: the honest listing stays above, and keeps most of its score. Of those
 * that few, fresh or related accounts can make, neither a level nor a score comes.
 */

const WORLDS = 20;
const ACCOUNTS = 1_000;

const nothing = new Set<string>(NOTHING_COMES_OF);
let failed = false;
for (const [name, attack] of Object.entries(ATTACKS)) {
  const ratios: number[] = [];
  const kept: number[] = [];
  for (let seed = 1; seed <= WORLDS; seed++) {
    const world = sybilWorld(seed);
    world.people('good', 25);
    world.publishers.set('bad', 'publisher of bad');
    const before = world.score('good');
    attack(world, ACCOUNTS);
    ratios.push(world.score('good') / world.score('bad'));
    kept.push(world.score('good') / before);
    if (world.level('bad') === 'used') failed = true;
    if (nothing.has(name) && (world.level('bad') !== 'listed' || world.score('bad') !== 0)) {
      console.log(`PASSED ${name}, world ${seed}: ${world.level('bad')}, score ${world.score('bad')}`);
      failed = true;
    }
  }
  const [least, leastKept] = [Math.min(...ratios), Math.min(...kept)];
  if (least <= 1 || leastKept <= 0.5) failed = true;
  console.log(
    `${least > 1 ? 'held ' : 'PASSED'} ${name}: honest / attacker at least ${least.toFixed(2)}, kept ${leastKept.toFixed(2)}`,
  );
}
if (failed) process.exitCode = 1;

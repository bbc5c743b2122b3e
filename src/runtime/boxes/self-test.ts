import { ATTACKS } from './attacks.ts';
import type { AttackVerdict, BoxDriver, BoxIsolation, BoxSelfTest } from './box.ts';
import { openCanary } from './canary.ts';
import { type BoxTraits, runAttack } from './run-attack.ts';

/** Fewer prove too little, for instance where a program that they need is missing. */
const LEAST_REFUSED = 10;
const AT_ONCE = 4;

const FIX: Partial<Record<BoxIsolation, string>> = {
  kubernetes: 'Do not run packages here. See docs/guides/kubernetes.md for what the cluster has to enforce.',
};

/** Tries attacks in real boxes; every one of them must be refused. */
export async function selfTest(
  isolation: BoxIsolation,
  start: BoxDriver['start'],
  traits: BoxTraits = { filtered: isolation !== 'bwrap' },
): Promise<BoxSelfTest> {
  const began = performance.now();
  const canary = await openCanary(traits);
  const waiting = ATTACKS.filter(({ self_test }) => self_test);
  const attacks: AttackVerdict[] = [];
  const work = async (): Promise<void> => {
    for (let attack = waiting.shift(); attack !== undefined; attack = waiting.shift())
      attacks.push(await runAttack(start, attack, canary, traits));
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await canary.close();
  }
  return report(isolation, attacks, Math.round(performance.now() - began));
}

function report(isolation: BoxIsolation, attacks: readonly AttackVerdict[], took_ms: number): BoxSelfTest {
  const through = attacks.filter(({ verdict }) => verdict === 'through');
  const refused = attacks.filter(({ verdict }) => verdict === 'refused');
  const untried = attacks.filter(({ verdict }) => verdict === 'void');
  const ok = through.length === 0 && refused.length >= LEAST_REFUSED;
  const parts = [
    `${refused.length} of ${attacks.length} attacks were blocked (${isolation}).`,
    through.length === 0 ? '' : `A program in a box could ${titles(through)}.`,
    untried.length === 0 ? '' : `Not tried: ${titles(untried)}.`,
  ];
  return {
    ok,
    isolation,
    text: parts.filter(Boolean).join(' '),
    fix: ok
      ? null
      : (FIX[isolation] ?? 'Do not run packages here. Update the kernel and bubblewrap, then restart the service.'),
    attacks,
    took_ms,
  };
}

const titles = (attacks: readonly AttackVerdict[]): string => attacks.map(({ title }) => title).join(', ');

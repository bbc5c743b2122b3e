import { readFileSync, writeFileSync } from 'node:fs';
import { embeddedSandbox, findBwrap } from '#runtime/sandbox/embedded.ts';
import { DEFAULT_LIMITS, type Sandbox } from '#runtime/sandbox/sandbox.ts';
import { hostileScripts, tableOf } from '../hostile/hostile-scripts.ts';
import { surprisesOf } from '../hostile/judge.ts';
import { mutate, randomFrom } from '../hostile/mutate.ts';
import { type Attack, openHostileStand } from '../hostile/stand.ts';

/**
 * `npm run soak -- hostile [minutes] [seed]`: at every level each script as it is, those with a time limit of their own
 * under the default limits, then mutations until the time is over. `npm run soak -- hostile table` writes the guide's
 * table again.
 */
const [first = '10', seed = `${Date.now() % 1_000_000}`] = process.argv.slice(2);
const scripts = hostileScripts();
const random = randomFrom(Number(seed));

if (first === 'table') writeTable();
else {
  const bwrap = findBwrap();
  const sandboxes = [embeddedSandbox(), ...(bwrap === null ? [] : [embeddedSandbox({ bwrap })])];
  for (const sandbox of sandboxes) {
    const until = performance.now() + (Number(first) * 60_000) / sandboxes.length;
    const heavy = scripts.filter(({ timeout_ms }) => timeout_ms < DEFAULT_LIMITS.timeout_ms);
    await soak(sandbox, 'as they are', scripts, {});
    await soak(sandbox, 'under the default limits', allowed(heavy), DEFAULT_LIMITS);
    await soak(sandbox, `mutations of seed ${seed}`, mutations(until), {});
    await sandbox.close();
  }
}

type Named = Attack & { name: string };

function* allowed(heavy: Iterable<Named>): Generator<Named> {
  const { timeout_ms } = DEFAULT_LIMITS;
  for (const { name, language, source } of heavy) yield { name, language, source, timeout_ms };
}

function* mutations(until: number): Generator<Named> {
  while (performance.now() < until) yield mutate(scripts, random);
}

/** Three at once. */
async function soak(sandbox: Sandbox, what: string, attacks: Iterable<Named>, more: object): Promise<void> {
  const wrong: string[] = [];
  const ended = new Map<string, number>();
  await using stand = await openHostileStand(more);
  const waiting = attacks[Symbol.iterator]();
  const worker = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const { result, breaches } = await stand.run(sandbox, next.value);
      ended.set(result.status, (ended.get(result.status) ?? 0) + 1);
      const script = scripts.find((script) => script === next.value);
      const found = [...breaches, ...(script === undefined ? [] : surprisesOf(script, result))];
      if (found.length > 0) wrong.push(`${next.value.name}: ${found.join('; ')}\n${next.value.source}`);
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  wrong.push(...(await stand.damage()));
  const runs = [...ended].map(([status, count]) => `${count} ${status}`).join(', ');
  process.stdout.write(`${sandbox.isolation}, ${what}: ${runs}; ${wrong.length} not held; ${stand.figures()}\n`);
  for (const line of wrong) process.stdout.write(`\n${line}\n`);
  if (wrong.length > 0) process.exitCode = 1;
}

function writeTable(): void {
  const guide = new URL('../../docs/guides/sandbox.md', import.meta.url);
  const table = `<!-- tried -->\n${tableOf(scripts)}\n<!-- /tried -->`;
  writeFileSync(
    guide,
    readFileSync(guide, 'utf8').replace(/<!-- tried -->.*<!-- \/tried -->/s, () => table),
  );
}

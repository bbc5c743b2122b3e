import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentBytes } from '#runtime/sandbox/watchdog.ts';
import type { World } from '../world.ts';

const MB = 1_048_576;
const EVERY_MS = 50;
/** On a machine whose every core is taken by the scripts. */
const SLOWEST_ANSWER_MS = 1_500;
const MOST_GROWTH_MB = 200;
/** The engine's share, and what is taken between two looks of the watchdog. */
const OVER_MB = 256 + 180;

export interface ServiceWatch {
  /** What has happened to it; ends the watch. */
  harm(): Promise<string[]>;
  stop(): void;
  /** The worst that was seen. */
  figures(): string;
}

/** Looks again and again at the service's answers and memory and at the processes below it. */
export function watchService(world: Pick<World, 'fetch'>, memory_mb: number): ServiceWatch {
  const resident_at_start = process.memoryUsage.rss();
  const seen = new Set<number>();
  const worst = { answer_ms: 0, resident: 0, child: 0 };
  let failed = '';
  let stopped = false;
  const look = async () => {
    worst.resident = Math.max(worst.resident, process.memoryUsage.rss());
    for (const pid of childrenOf(process.pid)) {
      seen.add(pid);
      worst.child = Math.max(worst.child, await residentBytes(pid));
    }
    const asked = performance.now();
    const answer = await world.fetch('/healthz');
    if (answer.status !== 200) failed = `the service answered ${answer.status}`;
    worst.answer_ms = Math.max(worst.answer_ms, performance.now() - asked);
  };
  const looking = (async () => {
    while (!stopped) {
      await look();
      await sleep(EVERY_MS);
    }
  })();
  return {
    stop: () => {
      stopped = true;
    },
    figures: () =>
      `${seen.size} processes, the largest ${Math.round(worst.child / MB)} MB; the service grew by ` +
      `${Math.round((worst.resident - resident_at_start) / MB)} MB and answered within ${Math.round(worst.answer_ms)} ms`,
    harm: async () => {
      stopped = true;
      await looking;
      const left = await stillThere([...seen]);
      const growth_mb = (worst.resident - resident_at_start) / MB;
      const found: [boolean, string][] = [
        [failed !== '', failed],
        [left.length > 0, `processes are left: ${left.join(' ')}`],
        [worst.answer_ms > SLOWEST_ANSWER_MS, `the service took ${Math.round(worst.answer_ms)} ms to answer`],
        [growth_mb > MOST_GROWTH_MB, `the service grew by ${Math.round(growth_mb)} MB`],
        [worst.child > (memory_mb + OVER_MB) * MB, `a script took ${Math.round(worst.child / MB)} MB`],
      ];
      return found.flatMap(([is_so, what]) => (is_so ? [what] : []));
    },
  };
}

/** Children and theirs; none where the system has no /proc. */
const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`)
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .flatMap((child) => [child, ...childrenOf(child)]);

/** Bubblewrap's inner processes are ended by the kernel, a moment after it. */
async function stillThere(pids: number[]): Promise<number[]> {
  const there = () => pids.filter((pid) => /^\d+ \(.*\) [^ZX]/s.test(read(`/proc/${pid}/stat`)));
  for (let waited = 0; there().length > 0 && waited < 2_000; waited += EVERY_MS) await sleep(EVERY_MS);
  return there();
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

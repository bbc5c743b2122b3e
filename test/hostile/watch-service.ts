import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentBytes } from '#runtime/sandbox/watchdog.ts';
import { until } from '../until.ts';
import type { World } from '../world.ts';

const MB = 1_048_576;
const EVERY_MS = 100;
/** Processor time of the service between a request and its answer, with what else it has to do meanwhile. */
const MOST_HELD_MS = 500;
const MOST_GROWTH_MB = 200;
/** The engine's share, and what is taken between two looks of the watchdog. */
const OVER_MB = 256 + 180;

interface ServiceWatch {
  /** What has happened to it; ends the watch. */
  harm(): Promise<string[]>;
  stop(): void;
  /** The worst that was seen. */
  figures(): string;
}

/** Looks again and again at the service's answers and memory and at the processes below it. */
export function watchService(world: Pick<World, 'fetch'>, memory_mb: number): ServiceWatch {
  const residentAtStart = process.memoryUsage.rss();
  const seen = new Set<number>();
  const worst = { held_ms: 0, resident: 0, child: 0 };
  let failed = '';
  let stopped = false;
  const look = async () => {
    worst.resident = Math.max(worst.resident, process.memoryUsage.rss());
    for (const pid of childrenOf(process.pid)) {
      seen.add(pid);
      worst.child = Math.max(worst.child, await residentBytes(pid));
    }
    const before = process.threadCpuUsage();
    const answer = await world.fetch('/healthz');
    if (answer.status !== 200) failed = `the service answered ${answer.status}`;
    const { user, system } = process.threadCpuUsage(before);
    worst.held_ms = Math.max(worst.held_ms, (user + system) / 1_000);
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
      `${Math.round((worst.resident - residentAtStart) / MB)} MB and answered with ${Math.round(worst.held_ms)} ms of processor time`,
    harm: async () => {
      stopped = true;
      await looking;
      const left = await stillThere([...seen]);
      const growthMb = (worst.resident - residentAtStart) / MB;
      const found: [boolean, string][] = [
        [failed !== '', failed],
        [left.length > 0, `processes are left: ${left.join(' ')}`],
        [worst.held_ms > MOST_HELD_MS, `the service was held for ${Math.round(worst.held_ms)} ms`],
        [growthMb > MOST_GROWTH_MB, `the service grew by ${Math.round(growthMb)} MB`],
        [worst.child > (memory_mb + OVER_MB) * MB, `a script took ${Math.round(worst.child / MB)} MB`],
      ];
      return found.flatMap(([isSo, what]) => (isSo ? [what] : []));
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
  await until('an end of all processes', () => there().length === 0).catch(() => {});
  return there();
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

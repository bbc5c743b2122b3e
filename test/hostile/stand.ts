import { OWN_SHARE } from '#core/fair-queue/share.ts';
import type { Sandbox, SandboxLimits, SandboxResult } from '#runtime/sandbox/sandbox.ts';
import { openWorld } from '../world.ts';
import type { HostileScript } from './hostile-scripts.ts';
import { breachesOf } from './judge.ts';
import { openTargets } from './targets.ts';
import { watchService } from './watch-service.ts';

/** A service with something to steal, and a watch on all that must stay as it is. */
interface HostileStand extends AsyncDisposable {
  run(sandbox: Sandbox, script: Attack): Promise<{ result: SandboxResult; breaches: string[] }>;
  /** What all of them together have done to the service and the machine; empty where nothing. Ends the watch. */
  damage(): Promise<string[]>;
  /** The worst that was seen of the service and the scripts. */
  figures(): string;
}

export type Attack = Pick<HostileScript, 'language' | 'source' | 'timeout_ms'>;

export const LIMITS: Omit<SandboxLimits, 'timeout_ms'> = { memory_mb: 64, output_bytes: 100_000 };

export async function openHostileStand(more: Partial<SandboxLimits> = {}): Promise<HostileStand> {
  const targets = await openTargets();
  const world = await openWorld();
  const service = watchService(world, more.memory_mb ?? LIMITS.memory_mb);
  return {
    run: async (sandbox, { language, source, timeout_ms }) => {
      const limits = { ...LIMITS, ...more, timeout_ms };
      const files = new Map([['main', Buffer.from(targets.fill(source))]]);
      const result = await sandbox.run({ share: OWN_SHARE, language, files, entry: 'main', stdin: '{}', limits });
      return { result, breaches: breachesOf(result, limits, targets.secrets) };
    },
    figures: service.figures,
    damage: async () => [...(await service.harm()), ...targets.damage()],
    [Symbol.asyncDispose]: async () => {
      service.stop();
      targets.close();
      await world.close();
    },
  };
}

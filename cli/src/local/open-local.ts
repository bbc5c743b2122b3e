import { join } from 'node:path';
import { systemClock } from '../../../src/core/clock/clock.ts';
import { createOutbound } from '../../../src/core/outbound/outbound.ts';
import { Problem } from '../../../src/core/problem/problem.ts';
import { openBwrapDriver } from '../../../src/runtime/boxes/bwrap-driver.ts';
import { type ContainerEngine, hasEngine } from '../../../src/runtime/boxes/container-driver.ts';
import { openRuntime } from '../../../src/runtime/packaged/open-runtime.ts';
import type { Runtime } from '../../../src/runtime/packaged/runtime.ts';
import { Failure } from '../failure.ts';
import { localCache } from '../profile.ts';
import { VERSION } from '../version.ts';
import type { World } from '../world.ts';
import type { LocalConfig } from './settings.ts';

/** The runtime of the service, opened for the user of this machine: the same boxes, gate, checks and store. */

type Driver = 'bwrap' | 'podman' | 'docker';

/**
 * With bubblewrap, or else a container engine of this machine. `say` hears which weaker one is used and why. A passed self-test
 * counts for a day, unless a `fresh` one is wanted.
 *
 * @throws Failure `cli.boxes` with what is missing and how to get it.
 */
export async function openLocalRuntime(
  world: World,
  config: LocalConfig,
  say: (text: string) => void,
  { fresh = false } = {},
): Promise<{ runtime: Runtime; close(): Promise<void> }> {
  if (world.platform !== 'linux') throw notLinux(world.platform, enginesOf(world));
  const outbound = createOutbound({
    allow_loopback: world.local?.allow_loopback === true,
    user_agent: `capstan-cli/${VERSION}`,
  });
  const deps = {
    data_dir: localCache(world),
    outbound: outbound.fetch,
    clock: systemClock,
    allow_loopback: false,
    install: world.local?.install,
    self_test: { file: join(localCache(world), 'self-test.json'), fresh },
  };
  const failed: string[] = [];
  try {
    for (const driver of driversOf(config, enginesOf(world))) {
      const runtime = await openRuntime({ ...deps, config: { ...config, runtime: driver } }).catch(unavailableHere);
      if (typeof runtime === 'string') {
        failed.push(runtime);
        continue;
      }
      if (failed.length > 0) say(`note: ${failed.join(' ')} The server runs in a container of ${driver} instead.`);
      const close = async (): Promise<void> => {
        await runtime.close();
        await outbound.close();
      };
      return { runtime, close };
    }
    throw await boxesMissing(failed);
  } catch (error) {
    await outbound.close();
    throw error;
  }
}

const enginesOf = ({ local }: World): readonly ContainerEngine[] =>
  local?.engines ?? (['podman', 'docker'] as const).filter(hasEngine);

function driversOf({ runtime }: LocalConfig, engines: readonly ContainerEngine[]): Driver[] {
  if (runtime === 'off')
    throw new Failure('cli.boxes', 'Packages are switched off on this machine (CAPSTAN_RUNTIME=off).', {
      fix: 'Unset CAPSTAN_RUNTIME.',
    });
  if (runtime === 'kubernetes')
    throw new Failure(
      'cli.boxes',
      '--local runs packages on this machine, not in a cluster (CAPSTAN_RUNTIME=kubernetes).',
      {
        fix: 'Unset CAPSTAN_RUNTIME, or connect through the service, without --local.',
      },
    );
  if (runtime !== 'auto') return [runtime];
  return ['bwrap', ...engines];
}

/** Why the driver holds no boxes here. Anything else is thrown. */
function unavailableHere(error: unknown): string {
  if (error instanceof Problem && error.code === 'runs.unavailable') return error.message;
  throw error;
}

async function boxesMissing(failed: readonly string[]): Promise<Failure> {
  const boxes = await openBwrapDriver();
  try {
    const { fix } = await boxes.selfTest();
    return new Failure('cli.boxes', `Packages cannot be isolated on this machine. ${failed.join(' ')}`, {
      fix: `${fix ?? 'Install bubblewrap.'} Or install podman.`,
    });
  } finally {
    await boxes.close();
  }
}

const SYSTEMS: Partial<Record<NodeJS.Platform, { name: string; fix: string }>> = {
  darwin: {
    name: 'macOS',
    fix:
      'Use a Linux virtual machine with Node and bubblewrap, such as Lima: brew install lima, limactl start, ' +
      'then lima npx @capstan/cli with the same arguments. Or connect through the service, without --local.',
  },
  win32: {
    name: 'Windows',
    fix:
      'Use WSL 2: wsl --install, then in it sudo apt-get install bubblewrap and the same command. ' +
      'Or connect through the service, without --local.',
  },
};

/** On these systems, an engine runs in a virtual machine, which has none of the programs that a box mounts. */
function notLinux(platform: NodeJS.Platform, [engine]: readonly ContainerEngine[]): Failure {
  const { name, fix } = SYSTEMS[platform] ?? { name: platform, fix: 'Connect through the service, without --local.' };
  const detail = `Packages run in boxes of the Linux kernel, and this machine runs ${name}.`;
  if (engine === undefined) return new Failure('cli.boxes', detail, { fix });
  const why = `The containers of ${engine} run in a virtual machine that has no programs of this machine, so they cannot be used.`;
  return new Failure('cli.boxes', `${detail} ${why}`, { fix });
}

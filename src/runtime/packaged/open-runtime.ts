import { join } from 'node:path';
import type { Clock } from '#core/clock/clock.ts';
import { openOperatorFetch } from '#core/outbound/operator-fetch.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { Problem } from '#core/problem/problem.ts';
import { type BoxDriver, type BoxIsolation, type BoxLimits, isWeaker } from '#runtime/boxes/box.ts';
import { openBwrapDriver } from '#runtime/boxes/bwrap-driver.ts';
import { openNamespaces } from '#runtime/egress/namespaces.ts';
import { openEgressGate } from '#runtime/egress/open-gate.ts';
import { openPackages, type PackagesConfig } from '#runtime/packages/open-packages.ts';
import type { PackageStore } from '#runtime/packages/package.ts';

/** Everything that runs packages: boxes, their network, and the store of prepared packages. */

export interface RuntimeConfig extends PackagesConfig {
  runtime: 'auto' | 'bwrap' | 'off';
  runtime_min: BoxIsolation;
  runtime_memory_mb: number;
  runtime_processes: number;
}

export interface RuntimeDeps {
  config: RuntimeConfig;
  data_dir: string;
  outbound: OutboundFetch;
  clock: Clock;
  /** Registries on loopback may be used: for a machine on its own. */
  allow_loopback: boolean;
}

export interface Runtime {
  boxes: BoxDriver;
  packages: PackageStore;
  /** Of one box, as the operator has set them. */
  limits: BoxLimits;
  close(): Promise<void>;
}

const MIB = 1_048_576;

/**
 * Opens the runtime. Call it from the first thread: boxes die with the thread that starts them.
 *
 * @throws `runtime.box_unavailable` where the machine cannot hold a box, the operator has switched packages off, or the isolation
 * is weaker than the operator asks for.
 */
export async function openRuntime({
  config,
  data_dir,
  outbound,
  clock,
  allow_loopback,
}: RuntimeDeps): Promise<Runtime> {
  if (config.runtime === 'off') throw unavailable('Packages are switched off here (CAPSTAN_RUNTIME=off).');
  const namespaces = openNamespaces();
  const boxes = await openBwrapDriver({
    openGate: (egress) => openEgressGate(egress, { namespaces, guard: { allow_loopback } }),
  });
  const registries = openOperatorFetch();
  const close = async () => {
    await boxes.close();
    await namespaces.close();
    await registries.close();
  };
  const refusal = await whyNot(boxes, config.runtime_min);
  if (refusal !== null) {
    await close();
    throw unavailable(refusal);
  }
  const packages = openPackages({
    dir: join(data_dir, 'packages'),
    config,
    boxes,
    registry_fetch: registries.fetch,
    outbound,
    clock,
  });
  return {
    boxes,
    packages,
    limits: limitsOf(config),
    close: async () => {
      await packages.close();
      await close();
    },
  };
}

/** The reason of a driver that starts no box, of one whose self-test failed, or of one that is too weak. */
async function whyNot(boxes: BoxDriver, min: BoxIsolation): Promise<string | null> {
  const tested = await boxes.selfTest();
  if (!tested.ok || boxes.isolation === null) return tested.text;
  return isWeaker(boxes.isolation, min)
    ? `Boxes are held by ${boxes.isolation} here, and CAPSTAN_RUNTIME_MIN asks for ${min}.`
    : null;
}

const limitsOf = ({ runtime_memory_mb, runtime_processes }: RuntimeConfig): BoxLimits => ({
  memory_bytes: runtime_memory_mb * MIB,
  processes: runtime_processes,
  open_files: 1_024,
  file_bytes: 64 * MIB,
  cpu_ms: null,
  tmp_bytes: 64 * MIB,
  shm_bytes: 16 * MIB,
  wall_ms: null,
});

const unavailable = (detail: string): Problem => new Problem('unavailable', 'runtime.box_unavailable', detail);

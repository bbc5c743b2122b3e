import type { Egress, EgressGate } from '#runtime/egress/egress.ts';
import type { BoxDriver } from './box.ts';
import { openBwrapDriver } from './bwrap-driver.ts';
import { openContainerDriver } from './container-driver.ts';

/** The driver that the operator chose. */
interface BoxDriverConfig {
  runtime: 'auto' | 'bwrap' | 'podman' | 'docker';
  /** The OCI runtime of the container engine; null for the engine's own choice. */
  container_runtime: string | null;
}

export function openBoxDriver(
  { runtime, container_runtime }: BoxDriverConfig,
  openGate?: (egress: Egress) => Promise<EgressGate>,
): Promise<BoxDriver> {
  const gate = openGate === undefined ? {} : { openGate };
  if (runtime === 'podman' || runtime === 'docker')
    return openContainerDriver({ engine: runtime, oci_runtime: container_runtime, ...gate });
  return openBwrapDriver(gate);
}

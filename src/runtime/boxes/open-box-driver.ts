import type { Guard } from '#core/outbound/address.ts';
import type { Egress, EgressGate } from '#runtime/egress/egress.ts';
import type { BoxDriver } from './box.ts';
import { openBwrapDriver } from './bwrap-driver.ts';
import { openContainerDriver } from './container-driver.ts';
import type { BoxDriverConfig } from './driver-config.ts';

interface BoxDriverDeps {
  data_dir: string;
  openGate?: (egress: Egress) => Promise<EgressGate>;
  /** For the gate of boxes on other machines. */
  guard?: Guard;
}

/** The driver that the operator chose. */
export async function openBoxDriver(config: BoxDriverConfig, deps: BoxDriverDeps): Promise<BoxDriver> {
  const { runtime, container_runtime, container_socket } = config;
  const gate = deps.openGate === undefined ? {} : { openGate: deps.openGate };
  if (runtime === 'podman' || runtime === 'docker')
    return openContainerDriver({ engine: runtime, oci_runtime: container_runtime, socket: container_socket, ...gate });
  if (runtime === 'kubernetes') {
    // Loaded by services that use it.
    const { openKubernetes } = await import('#runtime/kubernetes/open-kubernetes.ts');
    return openKubernetes(config, deps);
  }
  return openBwrapDriver(gate);
}

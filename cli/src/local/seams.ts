import type { ContainerEngine } from '../../../src/runtime/boxes/container-driver.ts';
import type { RuntimeDeps } from '../../../src/runtime/packaged/open-runtime.ts';

/** What tests put in place of parts of this machine. */
export interface LocalSeams {
  install?: RuntimeDeps['install'];
  /** Whether files of skills may be fetched from this machine. */
  allow_loopback?: boolean;
  /** Programs of container engines that count as installed. */
  engines?: readonly ContainerEngine[];
}

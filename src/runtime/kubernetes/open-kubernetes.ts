import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Guard } from '#core/outbound/address.ts';
import type { BoxDriver } from '#runtime/boxes/box.ts';
import type { BoxDriverConfig } from '#runtime/boxes/driver-config.ts';
import { unavailableDriver } from '#runtime/boxes/unavailable.ts';
import { openProxyGate } from '#runtime/egress/proxy-gate.ts';
import { openKubernetesApi } from './api.ts';
import { openKubernetesDriver } from './kubernetes-driver.ts';

/** The driver of Pods from settings and from what Kubernetes gives every Pod. */

const ACCOUNT_DIR = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Every cluster has this name, and the certificate of its API has it too. */
const IN_CLUSTER = 'https://kubernetes.default.svc';
const GUIDE = 'See docs/guides/kubernetes.md.';

export async function openKubernetes(
  config: BoxDriverConfig,
  { data_dir, guard }: { data_dir: string; guard?: Guard },
): Promise<BoxDriver> {
  const { kubernetes_image: image, kubernetes_claim: claim, pod_name, pod_uid, pod_ip } = config;
  if (image === null) return unavailableDriver('CAPSTAN_KUBERNETES_IMAGE is not set.', GUIDE);
  if (claim === null) return unavailableDriver('CAPSTAN_KUBERNETES_CLAIM is not set.', GUIDE);
  const url = config.kubernetes_api ?? (existsSync(ACCOUNT_DIR) ? IN_CLUSTER : null);
  if (url === null)
    return unavailableDriver(
      'The service is not in a Kubernetes cluster, and CAPSTAN_KUBERNETES_API is not set.',
      GUIDE,
    );
  const namespace = config.kubernetes_namespace ?? ownNamespace();
  if (namespace === null) return unavailableDriver('CAPSTAN_KUBERNETES_NAMESPACE is not set.', GUIDE);
  const account_dir = config.kubernetes_api === null ? ACCOUNT_DIR : null;
  const gate =
    pod_ip === null
      ? null
      : await openProxyGate(pod_ip, config.kubernetes_gate_port, guard === undefined ? {} : { guard });
  return openKubernetesDriver({
    api: openKubernetesApi({ url, account_dir }),
    namespace,
    image,
    empty_image: config.kubernetes_empty_image,
    claim,
    volume_dir: realpathSync(data_dir),
    runtime_class: config.kubernetes_runtime_class,
    service: pod_name ?? hostname().toLowerCase().slice(0, 63),
    owner: pod_name === null || pod_uid === null ? null : { name: pod_name, uid: pod_uid },
    address: pod_ip,
    gate,
  });
}

function ownNamespace(): string | null {
  try {
    return readFileSync(join(ACCOUNT_DIR, 'namespace'), 'utf8').trim();
  } catch {
    return null;
  }
}

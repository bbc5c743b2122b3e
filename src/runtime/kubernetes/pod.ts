import { defined } from '#core/defined.ts';
import type { BoxLimits, BoxOrder } from '#runtime/boxes/box.ts';
import { hostShell } from '#runtime/boxes/image-root.ts';
import { cleanShell } from './launcher.ts';
import type { VolumeMount } from './volume.ts';

/** The Pod of a box, as a pure function of its order; every lock of it is in this file. It meets the Pod Security Standard `restricted`. */

export const CONTAINER = 'box';
export const LABELS = {
  managed: 'app.kubernetes.io/managed-by',
  /** The Pod of the service, or its host name outside of a cluster. */
  service: 'capstan.dev/service',
  /** One run of the service: what another run has left is removed. */
  instance: 'capstan.dev/instance',
  /** `none` or `gate`: NetworkPolicies select by it. */
  egress: 'capstan.dev/egress',
} as const;
export const MANAGED_BY = 'capstan';

interface PodOptions {
  name: string;
  order: Pick<BoxOrder, 'limits' | 'egress' | 'root'>;
  image: string;
  /** The claim of the volume that the service has its data on. */
  claim: string;
  mounts: readonly VolumeMount[];
  user: { uid: number; gid: number };
  runtime_class: string | null;
  service: string;
  instance: string;
  egress: 'none' | 'gate';
  /** The Pod of the service; Kubernetes removes its boxes with it. */
  owner: { name: string; uid: string } | null;
}

/** Kubernetes ends a Pod that outlives its box by this. */
const LATE_SECONDS = 60;
/** For boxes without a limit of time. */
const LONGEST_SECONDS = 24 * 60 * 60;
/** What a box gets of a busy processor; it may use more where there is more. */
const CPU_REQUEST = '100m';
const MIB = 1_048_576;

/**
 * The first process waits and collects orphans; the program is started beside it by an exec. Standard output of the first process
 * would be kept in the log of the node.
 */
function waiting(root: string | undefined): string[] {
  const sleep = root === undefined ? 'sleep' : hostShell('/bin/sleep').join(' ');
  return [...cleanShell(root), '-c', `trap "exit 0" TERM; while :; do ${sleep} 3600 & wait $!; done`];
}

export function podOf(options: PodOptions): object {
  const { name, order, image, claim, mounts, user, owner } = options;
  const { limits } = order;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      labels: {
        [LABELS.managed]: MANAGED_BY,
        [LABELS.service]: options.service,
        [LABELS.instance]: options.instance,
        [LABELS.egress]: options.egress,
      },
      ...defined({
        ownerReferences: owner === null ? undefined : [Object.assign({ apiVersion: 'v1', kind: 'Pod' }, owner)],
      }),
    },
    spec: {
      restartPolicy: 'Never',
      activeDeadlineSeconds: deadlineOf(limits),
      terminationGracePeriodSeconds: 1,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      hostname: 'box',
      // No name is resolved in a box: the gate does that.
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['127.0.0.1'] },
      ...defined({ runtimeClassName: options.runtime_class ?? undefined }),
      securityContext: {
        runAsNonRoot: true,
        runAsUser: user.uid,
        runAsGroup: user.gid,
        seccompProfile: { type: 'RuntimeDefault' },
        ...defined({ sysctls: sysctlsOf(order) }),
      },
      containers: [
        {
          name: CONTAINER,
          image,
          imagePullPolicy: 'IfNotPresent',
          command: waiting(order.root),
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          resources: {
            limits: { memory: `${limits.memory_bytes}`, 'ephemeral-storage': `${64 * MIB}` },
            requests: { memory: `${Math.ceil(limits.memory_bytes / 4)}`, cpu: CPU_REQUEST },
          },
          volumeMounts: [
            { name: 'tmp', mountPath: '/tmp' },
            { name: 'shm', mountPath: '/dev/shm' },
            ...mounts.map(({ sub_path, to, writable }) => ({
              name: 'data',
              mountPath: to,
              subPath: sub_path,
              readOnly: !writable,
            })),
          ],
        },
      ],
      volumes: [
        { name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: `${limits.tmp_bytes}` } },
        { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: `${limits.shm_bytes}` } },
        ...(mounts.length === 0 ? [] : [{ name: 'data', persistentVolumeClaim: { claimName: claim } }]),
      ],
    },
  };
}

/** `restricted` allows this one. */
const sysctlsOf = ({ egress: { listens } }: Pick<BoxOrder, 'egress'>) =>
  listens === undefined ? undefined : [{ name: 'net.ipv4.ip_unprivileged_port_start', value: `${listens}` }];

const deadlineOf = ({ wall_ms }: BoxLimits): number =>
  wall_ms === null ? LONGEST_SECONDS : Math.ceil(wall_ms / 1_000) + LATE_SECONDS;

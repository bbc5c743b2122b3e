import { address, choice, duration, integer, optional } from '#core/config/config.ts';
import { BOX_ISOLATIONS } from '#runtime/boxes/box.ts';

export const RUNTIME_SETTINGS = {
  runtime: choice('CAPSTAN_RUNTIME', 'auto', ['auto', 'bwrap', 'podman', 'docker', 'kubernetes', 'off'], {
    description:
      '`auto` runs packages in bubblewrap boxes where the machine allows it; `bwrap` also reports a failure in `capstand doctor` ' +
      'where it does not; `podman` and `docker` run them in containers of an engine on this machine; ' +
      '`kubernetes` runs them in Pods; `off` runs no packages.',
  }),
  container_runtime: optional('CAPSTAN_CONTAINER_RUNTIME', {
    description:
      'The OCI runtime that the container engine starts boxes with, such as runc. Without one: the engine’s own choice.',
  }),
  container_socket: optional('CAPSTAN_CONTAINER_SOCKET', {
    description:
      'The socket of the container engine, such as /run/user/1000/docker.sock of a rootless Docker. Without one: the engine’s own.',
  }),
  kubernetes_image: optional('CAPSTAN_KUBERNETES_IMAGE', {
    description: 'The image of Pods that packages run in. It must contain what the image of the service contains.',
  }),
  kubernetes_empty_image: optional('CAPSTAN_KUBERNETES_EMPTY_IMAGE', {
    description:
      'An image that is empty, such as registry.k8s.io/pause:3.10, for Pods of packages that are container images: their ' +
      'files are mounted into it. Without it, such packages are refused with `kubernetes`.',
  }),
  kubernetes_claim: optional('CAPSTAN_KUBERNETES_CLAIM', {
    description:
      'The persistent volume claim whose folders packages, native and box-files are mounted at the same names in DATA_DIR. Pods ' +
      'mount the files of packages from it.',
  }),
  kubernetes_runtime_class: optional('CAPSTAN_KUBERNETES_RUNTIME_CLASS', {
    description: 'The RuntimeClass of Pods that packages run in, such as one of gVisor.',
  }),
  kubernetes_namespace: optional('CAPSTAN_KUBERNETES_NAMESPACE', {
    description: 'The namespace of Pods that packages run in. In a cluster: that of the service.',
  }),
  kubernetes_api: address('CAPSTAN_KUBERNETES_API', {
    description:
      'The URL of the Kubernetes API, such as that of `kubectl proxy`. In a cluster it is found automatically.',
  }),
  kubernetes_gate_port: integer('CAPSTAN_KUBERNETES_GATE_PORT', 9443, 1, 65_535, {
    description: 'The port of the proxy that Pods reach granted hosts through.',
  }),
  pod_name: optional('CAPSTAN_POD_NAME', { description: 'The name of the Pod of the service (`metadata.name`).' }),
  pod_uid: optional('CAPSTAN_POD_UID', {
    description: 'The UID of the Pod of the service (`metadata.uid`). Kubernetes removes the Pods of packages with it.',
  }),
  pod_ip: optional('CAPSTAN_POD_IP', {
    description: 'The address of the Pod of the service (`status.podIP`), where the proxy for granted hosts listens.',
  }),
  runtime_min: choice('CAPSTAN_RUNTIME_MIN', 'bwrap+seccomp', BOX_ISOLATIONS, {
    description:
      'The weakest isolation that packages may run under, as `capstand doctor` names it. Weaker boxes are refused.',
  }),
  runtime_memory_mb: integer('CAPSTAN_RUNTIME_MEMORY_MB', 512, 64, 65_536, {
    description: 'Memory limit of one box in MiB.',
  }),
  runtime_tmp_mb: integer('CAPSTAN_RUNTIME_TMP_MB', 64, 1, 65_536, {
    description: 'Size limit of /tmp in one box in MiB. It counts as memory of the box.',
  }),
  runtime_boxes: integer('CAPSTAN_RUNTIME_BOXES', 32, 1, 10_000, {
    description: 'Maximum number of boxes running at once. When it is reached, idle boxes are stopped first.',
  }),
  runtime_boxes_per_user: integer('CAPSTAN_RUNTIME_BOXES_PER_USER', 8, 1, 10_000, {
    description: 'Maximum number of boxes running at once per user or anonymous network.',
  }),
  runtime_total_mb: integer('CAPSTAN_RUNTIME_TOTAL_MB', 0, 0, 16_777_216, {
    description: 'How much memory all boxes together may use before idle ones end, in MiB; 0 is half of the machine’s.',
  }),
  runtime_preparing: integer('CAPSTAN_RUNTIME_PREPARING', 2, 1, 64, {
    description: 'Maximum number of packages fetched and installed at once.',
  }),
  skill_packages: choice('CAPSTAN_SKILL_PACKAGES', 'ask', ['off', 'ask', 'allow'], {
    description:
      'Scripts of skills that need packages, programs or modules that the sandbox does not have run natively in boxes. `ask`: packages ' +
      'are installed for callers that accept it; `allow`: for every caller; `off`: nothing runs natively.',
  }),
  runtime_idle_ms: duration('CAPSTAN_RUNTIME_IDLE', '120s', 1_000, {
    description: 'Idle time after which the box of a connection ends.',
  }),
  runtime_start_ms: duration('CAPSTAN_RUNTIME_START_TIMEOUT', '60s', 1_000, {
    description: 'Time limit for a started package to speak MCP.',
  }),
  runtime_lifetime_ms: duration('CAPSTAN_RUNTIME_LIFETIME', '12h', 60_000, {
    description: 'Maximum run time of one box.',
  }),
  runtime_processes: integer('CAPSTAN_RUNTIME_PROCESSES', 128, 16, 4_096, {
    description: 'Maximum number of processes and threads in one box.',
  }),
} as const;

import { randomBytes, randomUUID } from 'node:crypto';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from '#core/problem/problem.ts';
import { boundedStderr } from '#runtime/boxes/bounded-stderr.ts';
import type { Box, BoxDriver, BoxEnd, BoxEndReason, BoxIsolation, BoxOrder } from '#runtime/boxes/box.ts';
import { boxUser } from '#runtime/boxes/box-user.ts';
import { endOf } from '#runtime/boxes/end.ts';
import { checkOrder } from '#runtime/boxes/order.ts';
import { readKernel } from '#runtime/boxes/read-kernel.ts';
import { selfTest } from '#runtime/boxes/self-test.ts';
import { unavailableDriver } from '#runtime/boxes/unavailable.ts';
import { untilReady } from '#runtime/boxes/until-ready.ts';
import { type Watch, watchBox } from '#runtime/boxes/watch.ts';
import type { Egress, HostUse } from '#runtime/egress/egress.ts';
import type { ProxyGate } from '#runtime/egress/proxy-gate.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { type KubernetesApi, KubernetesError } from './api.ts';
import { type ExecChannel, execInPod } from './exec-channel.ts';
import { placeHostTools } from './host-tools.ts';
import { launchCommand, launchInput } from './launcher.ts';
import { CONTAINER, LABELS, MANAGED_BY, podOf } from './pod.ts';
import { type PodState, type PodWatch, watchPods } from './pod-watch.ts';
import { COPIES, imageMounts, volumeMounts } from './volume.ts';

/**
 * Boxes as Pods, for services of many machines: one Pod for each box, with the files of the service's volume. Whether NetworkPolicies
 * hold is for the network of the cluster; the self-test tries to reach this process and the internet from a Pod.
 */

export interface KubernetesOptions {
  api: KubernetesApi;
  namespace: string;
  /** The image of the boxes. It has Node at /opt/node/bin/node, a shell and env; best the image of the service. */
  image: string;
  /** An image that is empty, which becomes the image of a package by its mounts; null: such packages are refused. */
  empty_image: string | null;
  claim: string;
  /** DATA_DIR. The folders in it that boxes mount lie on the volume of the claim, at the same path below its root. */
  volume_dir: string;
  runtime_class: string | null;
  /** The name of the service's Pod, or another name that is the same after a restart. */
  service: string;
  owner: { name: string; uid: string } | null;
  /** What boxes reach the gate by, and the address that the self-test must not reach. */
  address: string | null;
  gate: ProxyGate | null;
  /** The name by which boxes find the gate where that is not `address`. */
  gate_host?: string;
  /** How long a Pod may take to be gone after its box. */
  gone_ms?: number;
}

/** An image may have to be pulled, and a node to be added. */
const START_MS = 180_000;
/** Kubernetes ends a Pod within seconds; one whose node is gone stays. */
const GONE_MS = 60_000;
const COMPLAINT_CHARS = 2_048;
/** States of a container that do not pass without an operator. */
const STUCK = [
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImagePullBackOff',
  'RunContainerError',
];
/** They belong to the image, not to a host. */
const IMAGE_PATHS = ['/root', '/home', '/var', '/boot', '/sys', '/run', '/mnt', '/etc/shadow', '/etc/hostname'];
/** Kubernetes has no limit of processes for one Pod; the node has (`podPidsLimit`). */
const NODE_PROCESSES = 4_096;

export async function openKubernetesDriver(options: KubernetesOptions): Promise<BoxDriver> {
  const { api, namespace, service, owner, gate } = options;
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const instance = randomUUID();
  const user = userOfBoxes();
  const copies = join(options.volume_dir, COPIES);
  mkdirSync(copies, { recursive: true, mode: 0o755 });
  try {
    await removeLeft(api, pods, service, instance);
  } catch (error) {
    if (!(error instanceof KubernetesError)) throw error;
    return unavailableDriver(
      `Pods cannot be managed in the namespace ${namespace}: ${error.message}.`,
      'Apply deploy/kubernetes, and look at the role of the service account.',
    );
  }
  const watch = watchPods(api, pods, `${LABELS.instance}=${instance}`);
  const live = new Map<RunningPod, Promise<unknown>>();
  let closed = false;

  const start = async (order: BoxOrder): Promise<Box> => {
    checkOrder(order);
    if (closed) throw unavailableProblem('The service is shutting down.');
    const { root } = order;
    if (root !== undefined && options.empty_image === null)
      throw unavailableProblem('Container images are run in Pods only if CAPSTAN_KUBERNETES_EMPTY_IMAGE is set.');
    const tree = root === undefined ? [] : await imageMounts(root, await placeHostTools(options.volume_dir));
    const proxied = gateOf(order.egress, gate);
    try {
      if (process.getuid?.() === 0 && order.disk !== null) chownSync(order.disk.dir, user.uid, user.gid);
      const name = `capstan-box-${randomUUID()}`;
      const pod = podOf({
        name,
        order,
        image: root === undefined ? options.image : (options.empty_image as string),
        claim: options.claim,
        mounts: await volumeMounts(options.volume_dir, [...tree, ...order.mounts]),
        user,
        runtime_class: options.runtime_class,
        service,
        instance,
        egress: proxied === null ? 'none' : 'gate',
        owner,
      });
      const env = proxied === null ? {} : proxyEnv(proxied.credentials, options);
      const gone_ms = options.gone_ms ?? GONE_MS;
      const running = runPod({ api, namespace, pods, name, pod, order, env, watch, gone_ms });
      const ended = running.gone.then(async () => {
        live.delete(running);
        await proxied?.close();
      });
      live.set(running, ended);
      await running.started;
      return Object.assign({}, running.box, { gone: running.gone, hosts: (): HostUse[] => proxied?.uses() ?? [] });
    } catch (error) {
      await proxied?.close();
      throw error;
    }
  };
  const close = async (): Promise<void> => {
    closed = true;
    for (const { box } of live.keys()) box.kill();
    await Promise.all(live.values());
    watch.close();
    await gate?.close();
    api.close();
  };

  const seen = await readKernel(start, START_MS);
  if (typeof seen === 'string') {
    await close();
    return unavailableDriver(`A Pod cannot be started: ${seen}`, 'See docs/guides/kubernetes.md.');
  }
  const isolation: BoxIsolation = seen.gvisor ? 'gvisor' : 'kubernetes';
  let tested: ReturnType<BoxDriver['selfTest']> | undefined;
  return {
    isolation,
    start,
    selfTest: () => {
      tested ??= selfTest(isolation, start, {
        filtered: !seen.gvisor,
        own_kernel: seen.gvisor,
        engine_paths: IMAGE_PATHS,
        most_processes: NODE_PROCESSES,
        canary_dir: copies,
        canary_host: options.address,
      });
      return tested;
    },
    // The memory is that of other machines.
    counts: () => ({ running: live.size, memory_bytes: 0 }),
    close,
  };
}

interface RunningPod {
  box: Omit<Box, 'hosts' | 'gone'>;
  started: Promise<void>;
  gone: Promise<BoxEnd>;
}

interface PodRun {
  api: KubernetesApi;
  namespace: string;
  pods: string;
  name: string;
  pod: object;
  order: BoxOrder;
  env: Readonly<Record<string, string>>;
  watch: PodWatch;
  gone_ms: number;
}

function runPod(run: PodRun): RunningPod {
  const { order, name } = run;
  const ready = `ready-${randomBytes(12).toString('hex')}`;
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {});
  const gone = Promise.withResolvers<BoxEnd>();
  const started = Promise.withResolvers<void>();
  const removed = Promise.withResolvers<void>();
  const ending = new AbortController();
  let stopped: { reason: BoxEndReason; message: string } | null = null;
  let channel: ExecChannel | null = null;
  let disk: Watch | null = null;
  let state: PodState | null = null;
  let complaint = '';
  let isReady = false;
  let isRefused = false;
  let hasEnded = false;

  const stop = (reason: BoxEndReason, message: string): void => {
    if (stopped !== null || hasEnded) return;
    stopped = { reason, message };
    ending.abort(new Error(message));
    channel?.destroy();
  };
  const timers = [setTimeout(stop, START_MS, 'failed_to_start', `The box was not set up within ${START_MS} ms.`)];
  const { wall_ms } = order.limits;
  if (wall_ms !== null) timers.push(setTimeout(stop, wall_ms, 'wall', `The box ran longer than its ${wall_ms} ms.`));
  const cancel = (): void => stop('killed', 'The box was cancelled.');
  order.signal?.addEventListener('abort', cancel);

  const work = async (): Promise<number | null> => {
    await run.api.call('POST', run.pods, run.pod).catch((error) => {
      isRefused = error instanceof KubernetesError && error.status >= 400 && error.status < 500;
      throw error;
    });
    await untilRunning(run, ending.signal, removed.resolve, (pod) => {
      state = pod;
    });
    channel = await execInPod(
      run.api,
      { namespace: run.namespace, pod: name, container: CONTAINER },
      launchCommand(order),
    );
    if (ending.signal.aborted) channel.destroy();
    channel.stdout.pipe(stdout);
    const { stdin: input } = channel;
    untilReady(channel.stderr, ready, {
      before: (text) => {
        complaint = (complaint + text).slice(0, COMPLAINT_CHARS);
      },
      ready: () => {
        isReady = true;
        clearTimeout(timers[0]);
        started.resolve();
      },
      after: stderr,
    });
    input.write(launchInput(order, run.env, ready));
    stdin.pipe(input);
    if (order.disk !== null)
      disk = watchBox({
        pid: 0,
        limits: order.limits,
        disk: order.disk,
        group: null,
        container: ELSEWHERE,
        on_exceeded: stop,
      });
    const { code, message } = await channel.ended;
    complaint ||= message;
    return code;
  };
  const finish = async (code: number | null): Promise<void> => {
    hasEnded = true;
    for (const timer of timers) clearTimeout(timer);
    disk?.stop();
    order.signal?.removeEventListener('abort', cancel);
    channel?.destroy();
    // Otherwise both end with the channel, when all of it was read.
    if (channel === null) for (const stream of [stdout, stderr]) stream.end();
    // A Pod that was refused does not exist.
    if (!isRefused) await remove(run, removed.promise);
    const out_of_memory = stopped === null && (code === 137 || reasonOf(state) === 'OOMKilled');
    const evicted = stopped === null && code === null && !out_of_memory ? evictionOf(state) : null;
    gone.resolve(
      endOf({
        stopped: stopped ?? evicted,
        started: isReady,
        exit_code: code,
        complaint,
        out_of_memory,
        limits: order.limits,
      }),
    );
    started.resolve();
  };
  work()
    .catch((error: Error) => {
      complaint ||= error.message;
      return null;
    })
    .then(finish)
    .catch((error: Error) => {
      gone.resolve({ code: null, signal: null, reason: 'failed_to_start', message: error.message });
      started.resolve();
    });
  if (order.signal?.aborted) cancel();
  return {
    started: started.promise,
    gone: gone.promise,
    box: {
      stdin,
      stdout,
      stderr: boundedStderr(stderr),
      // Kubernetes measures it, and the service has no right to read that.
      usage: () => null,
      // Its share of the processor is for the cluster to decide.
      settled: () => {},
      kill: () => stop('killed', 'The box was stopped by the service.'),
    },
  };
}

/** A box on another machine: only its folder can be counted here. */
const ELSEWHERE = { read: () => null, folders: () => [] };

/** @throws the signal's reason, or an Error that says why the Pod does not run. */
async function untilRunning(
  { api, pods, name, watch }: PodRun,
  signal: AbortSignal,
  onRemoved: () => void,
  onState: (pod: PodState) => void,
): Promise<void> {
  const running = Promise.withResolvers<void>();
  // Nobody may be waiting when it fails.
  running.promise.catch(() => {});
  const take = (pod: PodState | null): void => {
    if (pod === null) {
      running.reject(new Error('the Pod was removed'));
      onRemoved();
      return;
    }
    onState(pod);
    const { phase, reason = '', message = '', containerStatuses: [container] = [] } = pod.status ?? {};
    const waiting = container?.state?.waiting;
    if (container?.state?.running !== undefined) running.resolve();
    else if (phase === 'Failed' || phase === 'Succeeded')
      running.reject(new Error(`the Pod ended: ${reason} ${message}`));
    else if (STUCK.includes(waiting?.reason ?? ''))
      running.reject(new Error(`the Pod does not start: ${waiting?.reason} ${waiting?.message ?? ''}`));
  };
  const abort = (): void => running.reject(signal.reason);
  signal.addEventListener('abort', abort);
  watch.follow(name, take);
  // What happened before it was followed.
  take((await api.call('GET', `${pods}/${name}`)) as PodState);
  if (signal.aborted) abort();
  await running.promise.finally(() => signal.removeEventListener('abort', abort));
}

/** Removes the Pod and waits until it is gone, so that no process of the box is left. */
async function remove({ api, pods, name, watch, gone_ms }: PodRun, removed: Promise<void>): Promise<void> {
  const late = AbortSignal.timeout(gone_ms);
  for (let isAsked = false; !isAsked && !late.aborted; )
    try {
      await api.call('DELETE', `${pods}/${name}`, { gracePeriodSeconds: 1 });
      isAsked = true;
    } catch (error) {
      if (error instanceof KubernetesError && error.status === 404) return void watch.forget(name);
      await sleep(1_000, undefined, { signal: late }).catch(() => {});
    }
  const waited = new Promise<void>((resolve) => {
    if (late.aborted) resolve();
    else late.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([removed, waited]);
  watch.forget(name);
}

const reasonOf = (pod: PodState | null): string | undefined =>
  pod?.status?.containerStatuses?.[0]?.state?.terminated?.reason;

function evictionOf(pod: PodState | null): { reason: BoxEndReason; message: string } | null {
  const reason = pod?.status?.reason;
  if (reason === 'DeadlineExceeded') return { reason: 'wall', message: 'The box ran longer than its Pod may.' };
  return reason === 'Evicted'
    ? { reason: 'killed', message: 'The node ended the box because it lacked resources.' }
    : null;
}

/** Pods of an earlier run of this service, which ended without removing them. */
async function removeLeft(api: KubernetesApi, pods: string, service: string, instance: string): Promise<void> {
  const selector = `${LABELS.managed}=${MANAGED_BY},${LABELS.service}=${service},${LABELS.instance}!=${instance}`;
  const { items = [] } = (await api.call('GET', `${pods}?labelSelector=${encodeURIComponent(selector)}`)) as {
    items?: PodState[];
  };
  for (const { metadata } of items)
    await api.call('DELETE', `${pods}/${metadata.name}`, { gracePeriodSeconds: 1 }).catch((error) => {
      if (!(error instanceof KubernetesError && error.status === 404)) throw error;
    });
}

/** The files on the volume belong to the user of the service. Root's boxes run as another user, as with the other drivers. */
function userOfBoxes(): { uid: number; gid: number } {
  return boxUser() ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

function gateOf(egress: Egress, gate: ProxyGate | null) {
  if (egress.mode === 'none' && !egress.watch) return null;
  if (gate !== null) return gate.open(egress);
  if (egress.mode === 'none') return null;
  throw unavailableProblem('Boxes have no network here. Set CAPSTAN_POD_IP, by which boxes reach the gate.');
}

/** Clients that read none of these reach nothing. */
function proxyEnv(credentials: string, { gate, gate_host, address }: KubernetesOptions): Record<string, string> {
  const proxy = `http://${credentials}@${gate_host ?? address}:${gate?.port}`;
  return { HTTPS_PROXY: proxy, https_proxy: proxy, NODE_USE_ENV_PROXY: '1', npm_config_https_proxy: proxy };
}

const unavailableProblem = (reason: string): Problem =>
  runtimeProblem('runs.unavailable', `Packages cannot be run here. ${reason}`, { reason: 'box_unavailable' });

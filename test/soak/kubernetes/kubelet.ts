import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Box, BoxDriver } from '#runtime/boxes/box.ts';
import { openKubernetesApi } from '#runtime/kubernetes/api.ts';
import { boxOrder, type FakePod, serveExec } from '../../fakes/pod-node.ts';
import type { Cluster, Manifest } from './cluster.ts';

/**
 * A node for the Pods of packages: it takes Pods that no node has, as a scheduler does, writes their status, runs what an exec starts in
 * boxes, and removes Pods that were deleted. It starts no container.
 */
interface Kubelet {
  close(): Promise<void>;
}

interface KubeletOptions {
  cluster: Cluster;
  boxes: BoxDriver;
  claims: Record<string, string>;
  /** A folder with the token of an administrator. */
  account_dir: string;
}

const NODE = 'node-1';
const SELECTOR = encodeURIComponent('app.kubernetes.io/managed-by=capstan');

export async function openKubelet({ cluster, boxes, claims, account_dir }: KubeletOptions): Promise<Kubelet> {
  const { admin } = cluster;
  const running = new Map<string, Set<Box>>();
  const sockets = new Set<Socket>();
  const taken = new Set<string>();
  const deadlines = new Map<string, NodeJS.Timeout>();
  const server = createServer(cluster.certificate);
  server.on('upgrade', async (request, duplex) => {
    const socket = duplex as Socket;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    // /exec/NAMESPACE/POD/CONTAINER
    const [, , namespace, name = ''] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    const pod = (await admin.call('GET', `/api/v1/namespaces/${namespace}/pods/${name}`)) as FakePod;
    const box = await serveExec(request, socket, ['v5.channel.k8s.io'], (argv) =>
      boxes.start(boxOrder(pod, argv, { claims })),
    );
    if (box === null) return void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    const inPod = running.get(name) ?? new Set();
    running.set(name, inPod.add(box));
    await box.gone;
    inPod.delete(box);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await admin.call('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE } });
  await admin.call('PATCH', `/api/v1/nodes/${NODE}/status`, {
    status: {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  });

  const endBoxes = async (name: string): Promise<void> => {
    const left = [...(running.get(name) ?? [])];
    for (const box of left) box.kill();
    await Promise.all(left.map(({ gone }) => gone));
  };
  const setStatus = (pod: Manifest, status: object): Promise<unknown> =>
    admin.status('PATCH', `${pathOf(pod)}/status`, { status });
  const run = async (pod: Manifest): Promise<void> => {
    const { name, namespace } = pod.metadata;
    const target = { apiVersion: 'v1', kind: 'Node', name: NODE };
    await admin.call('POST', `/api/v1/namespaces/${namespace}/pods/${name}/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name },
      target,
    });
    const [{ name: container, image }] = pod.spec.containers;
    const state = { running: { startedAt: new Date().toISOString() } };
    const started = { name: container, image, imageID: image, ready: true, restartCount: 0, state };
    await setStatus(pod, { phase: 'Running', containerStatuses: [started] });
    const end = async (): Promise<void> => {
      await endBoxes(name);
      await setStatus(pod, { phase: 'Failed', reason: 'DeadlineExceeded', message: 'Pod was active too long' });
    };
    deadlines.set(
      name,
      setTimeout(() => void end(), Math.min(pod.spec.activeDeadlineSeconds * 1_000, 2 ** 31 - 1)),
    );
  };
  const remove = async (pod: Manifest): Promise<void> => {
    const { name, uid } = pod.metadata;
    clearTimeout(deadlines.get(name));
    await endBoxes(name);
    await admin.status('DELETE', pathOf(pod), { gracePeriodSeconds: 0, preconditions: { uid } });
  };
  const see = (pod: Manifest): void => {
    const { name, deletionTimestamp } = pod.metadata;
    const step = deletionTimestamp === undefined ? 'run' : 'remove';
    if (taken.has(`${step} ${name}`)) return;
    taken.add(`${step} ${name}`);
    const done = step === 'run' ? run(pod) : remove(pod);
    done.catch((error: Error) => console.log(`node: ${step} ${name}: ${error.message}`));
  };

  const ending = new AbortController();
  const api = openKubernetesApi({ url: cluster.url, account_dir });
  const followOnce = async (): Promise<void> => {
    const list = (await api.call('GET', `/api/v1/pods?labelSelector=${SELECTOR}`)) as Manifest;
    for (const pod of list.items) see(pod);
    const since = list.metadata.resourceVersion;
    const path = `/api/v1/pods?labelSelector=${SELECTOR}&watch=1&resourceVersion=${since}`;
    for await (const event of api.watch(path, ending.signal)) {
      const { type, object } = event as Manifest;
      if (type === 'ERROR') return;
      if (type !== 'DELETED') see(object);
    }
  };
  const follow = async (): Promise<void> => {
    while (!ending.signal.aborted) await followOnce().catch(() => sleep(200));
  };
  const followed = follow();
  return {
    close: async () => {
      ending.abort(new Error('closed'));
      await followed;
      api.close();
      for (const timer of deadlines.values()) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const pathOf = ({ metadata }: Manifest): string => `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;

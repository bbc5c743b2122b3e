import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Box, BoxDriver } from '#runtime/boxes/box.ts';
import { boxOrder, type FakePod, serveExec } from './pod-node.ts';

/**
 * The Kubernetes API as far as Pods go: REST, watches, and the WebSocket subprotocol `v5.channel.k8s.io`. It plays the node as well:
 * what an exec starts in a Pod runs in a box of the given driver, with the mounts and limits of the Pod. Admission refuses Pods that
 * do not meet the Pod Security Standard `restricted`.
 */
interface FakeKubernetes {
  url: string;
  namespace: string;
  pods(): FakePod[];
  /** Every Pod that was made, as it was sent. */
  created: FakePod[];
  /** Requests as `METHOD path`, without queries. */
  requests: string[];
  /** Ends the connections of all watches, as an API server does. */
  dropWatches(): void;
  /** Ends the connections of all execs, as a node does that dies. */
  dropExecs(): void;
  close(): Promise<void>;
}

interface FakeOptions {
  /** What Pods run in. */
  boxes: BoxDriver;
  /** The host folder behind each claim. */
  claims: Record<string, string>;
  token?: string;
  /** Subprotocols that it speaks. */
  protocols?: readonly string[];
  /** Images that cannot be pulled. */
  missing_images?: readonly string[];
  /** The egress of Pods that NetworkPolicies let reach the gate. */
  gate_host?: { host: string; port: () => number };
}

const NAMESPACE = 'capstan';
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;

export async function openFakeKubernetes(options: FakeOptions): Promise<FakeKubernetes> {
  const { boxes, token, protocols = ['v5.channel.k8s.io'], missing_images = [] } = options;
  const pods = new Map<string, FakePod>();
  const running = new Map<string, Set<Box>>();
  const created: FakePod[] = [];
  const requests: string[] = [];
  const watches = new Set<{ response: ServerResponse; selector: string }>();
  const sockets = new Set<Socket>();
  const events: { version: number; type: string; object: FakePod }[] = [];
  let version = 100;

  const emit = (type: string, pod: FakePod): void => {
    pod.metadata.resourceVersion = `${++version}`;
    const object = structuredClone(pod);
    events.push({ version, type, object });
    for (const { response, selector } of watches)
      if (selects(selector, object)) response.write(`${JSON.stringify({ type, object })}\n`);
  };
  const setStatus = (pod: FakePod, status: object): void => {
    pod.status = status;
    if (pods.has(pod.metadata.name)) emit('MODIFIED', pod);
  };
  const schedule = (pod: FakePod): void => {
    const missing = missing_images.includes(pod.spec.containers[0].image);
    const state = missing
      ? { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image' } }
      : { running: { startedAt: '2026-01-01T00:00:00Z' } };
    setStatus(pod, { phase: missing ? 'Pending' : 'Running', containerStatuses: [{ name: 'box', state }] });
  };
  const remove = async (pod: FakePod): Promise<void> => {
    const { name } = pod.metadata;
    const left = [...(running.get(name) ?? [])];
    for (const box of left) box.kill();
    await Promise.all(left.map(({ gone }) => gone));
    if (!pods.delete(name)) return;
    emit('DELETED', pod);
  };

  function send(response: ServerResponse, status: number, body: object): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
  function refuse(response: ServerResponse, status: number, message: string): void {
    send(response, status, { kind: 'Status', status: 'Failure', message });
  }
  function create(response: ServerResponse, pod: FakePod): void {
    const violations = violationsOf(pod);
    if (violations.length > 0) {
      const rules = violations.join(', ');
      refuse(response, 403, `pods "${pod.metadata.name}" is forbidden: violates PodSecurity "restricted": ${rules}`);
      return;
    }
    created.push(structuredClone(pod));
    pod.status = { phase: 'Pending' };
    pods.set(pod.metadata.name, pod);
    emit('ADDED', pod);
    send(response, 201, pod);
    setImmediate(schedule, pod);
  }
  function list(response: ServerResponse, query: URLSearchParams): void {
    const selector = query.get('labelSelector') ?? '';
    if (query.get('watch') !== '1') {
      const items = [...pods.values()].filter((pod) => selects(selector, pod));
      send(response, 200, { kind: 'PodList', metadata: { resourceVersion: `${version}` }, items });
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const since = Number(query.get('resourceVersion'));
    for (const { version: at, type, object } of events)
      if (at > since && selects(selector, object)) response.write(`${JSON.stringify({ type, object })}\n`);
    const watch = { response, selector };
    watches.add(watch);
    response.once('close', () => watches.delete(watch));
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://fake');
    requests.push(`${request.method} ${url.pathname}`);
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`)
      return refuse(response, 401, 'Unauthorized');
    const body = await bodyOf(request);
    if (url.pathname === PODS && request.method === 'POST') return create(response, JSON.parse(body));
    if (url.pathname === PODS) return list(response, url.searchParams);
    const pod = pods.get(url.pathname.slice(PODS.length + 1));
    if (pod === undefined) return refuse(response, 404, 'pods not found');
    if (request.method === 'GET') return send(response, 200, pod);
    pod.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
    emit('MODIFIED', pod);
    send(response, 200, pod);
    void remove(pod);
  });

  server.on('upgrade', async (request: IncomingMessage, duplex) => {
    const socket = duplex as Socket;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    const url = new URL(request.url ?? '/', 'http://fake');
    requests.push(`${request.method} ${url.pathname}`);
    const [, name = ''] = new RegExp(`^${PODS}/([^/]+)/exec$`).exec(url.pathname) ?? [];
    const pod = pods.get(name);
    const turnAway = (status: string): void => {
      socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    };
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) return turnAway('401 Unauthorized');
    if (pod?.status.phase !== 'Running') return turnAway('404 Not Found');
    const inPod = running.get(name) ?? new Set();
    running.set(name, inPod);
    const began = await serveExec(request, socket, protocols, (argv) => boxes.start(boxOrder(pod, argv, options)));
    if (began === null) return turnAway('403 Forbidden');
    inPod.add(began);
    const end = await began.gone;
    inPod.delete(began);
    if (end.reason === 'out_of_memory')
      setStatus(pod, {
        phase: 'Failed',
        containerStatuses: [{ name: 'box', state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }],
      });
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    namespace: NAMESPACE,
    pods: () => [...pods.values()],
    created,
    requests,
    dropWatches: () => {
      for (const { response } of watches) response.destroy();
    },
    dropExecs: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await Promise.all([...pods.values()].map(remove));
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** What the Pod Security Standard `restricted` asks for, and no access to the API. */
function violationsOf({ spec }: FakePod): string[] {
  const [container] = spec.containers;
  const security = container.securityContext ?? {};
  const pod = spec.securityContext ?? {};
  const kinds = (spec.volumes ?? []).flatMap((volume: object) => Object.keys(volume).filter((key) => key !== 'name'));
  const rules: [boolean, string][] = [
    [spec.hostNetwork === true || spec.hostPID === true || spec.hostIPC === true, 'host namespaces'],
    [security.allowPrivilegeEscalation !== false, 'allowPrivilegeEscalation != false'],
    [JSON.stringify(security.capabilities) !== '{"drop":["ALL"]}', 'unrestricted capabilities'],
    [pod.runAsNonRoot !== true || pod.runAsUser === 0, 'runAsNonRoot != true'],
    [pod.seccompProfile?.type !== 'RuntimeDefault', 'seccompProfile'],
    [kinds.some((kind: string) => !['emptyDir', 'persistentVolumeClaim'].includes(kind)), 'restricted volume types'],
    [(pod.sysctls ?? []).some(({ name }: { name: string }) => name !== LOW_PORTS), 'forbidden sysctls'],
    [spec.automountServiceAccountToken !== false, 'a token of a service account'],
  ];
  return rules.filter(([isWrong]) => isWrong).map(([, what]) => what);
}

const LOW_PORTS = 'net.ipv4.ip_unprivileged_port_start';

function selects(selector: string, { metadata: { labels } }: FakePod): boolean {
  return selector.split(',').every((term) => {
    const [, name = '', operator, value] = /^([^!=]+)(!?=)(.*)$/.exec(term) ?? [];
    if (operator === undefined) return true;
    return (labels[name] === value) === (operator === '=');
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

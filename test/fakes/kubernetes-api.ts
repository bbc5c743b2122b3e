import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { Box, BoxDriver, BoxEnd } from '#runtime/boxes/box.ts';

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

interface FakePod {
  metadata: {
    name: string;
    labels: Record<string, string>;
    resourceVersion: string;
    ownerReferences?: object[];
    deletionTimestamp?: string;
  };
  // biome-ignore lint/suspicious/noExplicitAny: a Pod as it came.
  spec: any;
  // biome-ignore lint/suspicious/noExplicitAny: the part of a status that the service reads.
  status: any;
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

const MIB = 1_048_576;
const NAMESPACE = 'capstan';
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;

export async function openFakeKubernetes(options: FakeOptions): Promise<FakeKubernetes> {
  const { boxes, claims, token, protocols = ['v5.channel.k8s.io'], missing_images = [] } = options;
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
    const asked = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
    const protocol = asked.find((one) => protocols.includes(one));
    if (protocol === undefined) return turnAway('403 Forbidden');
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
    );
    // Frames may come before the program runs.
    const early: Buffer[] = [];
    const keep = (chunk: Buffer): void => void early.push(chunk);
    socket.on('data', keep);
    const box = await boxes.start(orderOf(pod, url.searchParams.getAll('command')));
    const inPod = running.get(name) ?? new Set();
    running.set(name, inPod.add(box));
    void box.gone.then(() => inPod.delete(box));
    socket.off('data', keep);
    serveExec(socket, box, early, (end) => {
      if (end.reason === 'out_of_memory')
        setStatus(pod, {
          phase: 'Failed',
          containerStatuses: [{ name: 'box', state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }],
        });
    });
  });

  function orderOf({ spec, metadata }: FakePod, argv: string[]) {
    const [container] = spec.containers;
    const size = (volume: string): number =>
      Number(spec.volumes.find(({ name }: { name: string }) => name === volume).emptyDir.sizeLimit);
    // biome-ignore lint/suspicious/noExplicitAny: mounts as they came.
    const mounted = container.volumeMounts.filter((mount: any) => mount.subPath !== undefined);
    const claim = spec.volumes.find(({ name }: { name: string }) => name === 'data')?.persistentVolumeClaim.claimName;
    const root = claims[claim ?? ''] ?? '';
    // biome-ignore lint/suspicious/noExplicitAny: mounts as they came.
    const mounts = mounted.map((mount: any) => ({
      from: join(root, mount.subPath),
      to: mount.mountPath,
      writable: mount.readOnly !== true,
    }));
    const gate = options.gate_host;
    return {
      argv,
      env: {},
      cwd: '/tmp',
      mounts,
      disk: mounts.some(({ writable }: { writable: boolean }) => writable) ? { dir: root, bytes: 1_024 * MIB } : null,
      limits: {
        memory_bytes: Number(container.resources.limits.memory),
        processes: 256,
        open_files: 1_024,
        file_bytes: 512 * MIB,
        cpu_ms: null,
        tmp_bytes: size('tmp'),
        shm_bytes: size('shm'),
        wall_ms: spec.activeDeadlineSeconds * 1_000,
      },
      egress:
        metadata.labels['capstan.dev/egress'] === 'gate' && gate !== undefined
          ? ({ mode: 'allow', hosts: [{ host: gate.host, ports: [gate.port()], plain: true }] } as const)
          : ({ mode: 'none', watch: false } as const),
    };
  }

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
    [spec.automountServiceAccountToken !== false, 'a token of a service account'],
  ];
  return rules.filter(([isWrong]) => isWrong).map(([, what]) => what);
}

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

/** Connects the channels of an exec with a box. */
function serveExec(socket: Socket, box: Box, early: readonly Buffer[], onEnd: (end: BoxEnd) => void): void {
  const send = (channel: number, data: Uint8Array): boolean =>
    socket.write(serverFrame(2, Buffer.concat([Buffer.of(channel), data])));
  let bytes: Buffer = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let frame = clientFrame(bytes); frame !== null; frame = clientFrame(bytes)) {
      bytes = bytes.subarray(frame.size);
      const [channel, stream] = frame.payload;
      if (frame.opcode === 9) socket.write(serverFrame(10, frame.payload));
      else if (frame.opcode === 2 && channel === 0) box.stdin.write(frame.payload.subarray(1));
      else if (frame.opcode === 2 && channel === 255 && stream === 0) box.stdin.end();
    }
  };
  for (const chunk of early) take(chunk);
  socket.on('data', take);
  box.stdin.on('error', () => {});
  for (const [channel, source] of [
    [1, box.stdout],
    [2, box.stderr],
  ] as const)
    source.on('data', (chunk: Buffer) => {
      if (send(channel, chunk)) return;
      source.pause();
      socket.once('drain', () => source.resume());
    });
  const outputs = [box.stdout, box.stderr].map((source) => new Promise((resolve) => source.once('end', resolve)));
  // As a container runtime that closes standard input with its client.
  socket.once('close', () => box.stdin.end());
  void Promise.all([box.gone, ...outputs]).then(([end]) => {
    onEnd(end as BoxEnd);
    send(3, Buffer.from(JSON.stringify(statusOf(end as BoxEnd))));
    socket.end(serverFrame(8, Buffer.of(3, 232)));
  });
}

const SIGNALS: Record<string, number> = { SIGKILL: 137, SIGTERM: 143, SIGXCPU: 152, SIGXFSZ: 153 };

function statusOf({ code, signal, reason }: BoxEnd): object {
  const exit = reason === 'out_of_memory' ? 137 : (code ?? SIGNALS[signal ?? 'SIGKILL'] ?? 137);
  if (exit === 0) return { metadata: {}, status: 'Success' };
  const message = `command terminated with non-zero exit code: exit status ${exit}`;
  const details = { causes: [{ reason: 'ExitCode', message: `${exit}` }] };
  return { metadata: {}, status: 'Failure', message, reason: 'NonZeroExitCode', details };
}

/** Servers do not mask. */
function serverFrame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.of(0x80 | opcode, length), payload]);
  if (length < 65_536) return Buffer.concat([Buffer.of(0x80 | opcode, 126, length >> 8, length & 255), payload]);
  const head = Buffer.alloc(10);
  head.writeUInt16BE(0x8000 | (opcode << 8) | 127);
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** The first frame of a client; null where it is not complete. Frames of clients are masked. */
function clientFrame(bytes: Buffer): { opcode: number; payload: Buffer; size: number } | null {
  if (bytes.length < 2) return null;
  const short = (bytes[1] as number) & 127;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start + 4) return null;
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const size = start + 4 + length;
  if (((bytes[1] as number) & 128) === 0) throw new Error('a client masks its frames');
  if (bytes.length < size) return null;
  const mask = bytes.subarray(start, start + 4);
  const payload = Buffer.from(bytes.subarray(start + 4, size).map((byte, at) => byte ^ (mask[at & 3] as number)));
  return { opcode: (bytes[0] as number) & 15, payload, size };
}

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Box, BoxEnd, BoxOrder, Mount } from '#runtime/boxes/box.ts';
import { ROOT_FILES, ROOT_FOLDERS } from '#runtime/boxes/image-root.ts';

/** What a node does with a Pod: what an exec starts in it runs in a box, with the mounts and limits of the Pod. */

export interface FakePod {
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

interface NodeOptions {
  /** The host folder behind each claim. */
  claims: Record<string, string>;
  /** The egress of Pods that NetworkPolicies let reach the gate. */
  gate_host?: { host: string; port: () => number };
}

const MIB = 1_048_576;

export function boxOrder({ spec, metadata }: FakePod, argv: string[], { claims, gate_host }: NodeOptions): BoxOrder {
  const [container] = spec.containers;
  const volumeOf = (volume: string) => spec.volumes.find(({ name }: { name: string }) => name === volume);
  const size = (volume: string): number => bytesOf(volumeOf(volume).emptyDir.sizeLimit);
  // biome-ignore lint/suspicious/noExplicitAny: mounts as they came.
  const mounted = container.volumeMounts.filter((mount: any) => mount.subPath !== undefined);
  const root = claims[volumeOf('data')?.persistentVolumeClaim.claimName ?? ''] ?? '';
  // biome-ignore lint/suspicious/noExplicitAny: mounts as they came.
  const all: Mount[] = mounted.map((mount: any) => ({
    from: join(root, mount.subPath),
    to: mount.mountPath,
    writable: mount.readOnly !== true,
  }));
  const isEmpty = container.image === EMPTY_IMAGE;
  const mounts = all.filter(({ to }) => !isEmpty || to.startsWith('/.capstan/'));
  const listens = spec.securityContext.sysctls?.map(({ value }: { value: string }) => Number(value))[0];
  return {
    root: isEmpty ? rootOf(join(root, 'node', metadata.name), all) : undefined,
    argv,
    env: {},
    cwd: '/tmp',
    mounts,
    disk: mounts.some(({ writable }: { writable: boolean }) => writable) ? { dir: root, bytes: 1_024 * MIB } : null,
    limits: {
      memory_bytes: bytesOf(container.resources.limits.memory),
      processes: 256,
      open_files: 1_024,
      file_bytes: 512 * MIB,
      cpu_ms: null,
      tmp_bytes: size('tmp'),
      shm_bytes: size('shm'),
      wall_ms: spec.activeDeadlineSeconds * 1_000,
    },
    egress:
      metadata.labels['capstan.dev/egress'] === 'gate' && gate_host !== undefined
        ? ({ mode: 'allow', hosts: [{ host: gate_host.host, ports: [gate_host.port()], plain: true }] } as const)
        : ({ mode: 'none', watch: listens !== undefined, listens } as const),
  };
}

/** Has no files, as `pause` nearly has. */
export const EMPTY_IMAGE = 'registry.test/empty:1';

/** A root folder with what a Pod mounts there, and with the mount points that a container runtime would make. */
function rootOf(dir: string, mounts: readonly Mount[]): string {
  if (existsSync(dir)) return dir;
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  for (const { from, to } of mounts)
    if (!to.startsWith('/.capstan/'))
      cpSync(realpathSync(from), join(dir, to), { recursive: true, verbatimSymlinks: true });
  for (const folder of [...ROOT_FOLDERS, '.capstan/host'])
    mkdirSync(join(dir, folder), { recursive: true, mode: 0o755 });
  for (const file of ROOT_FILES) if (!existsSync(join(dir, file))) writeFileSync(join(dir, file), '');
  return dir;
}

/** An API server writes quantities in its own form: 536870912 becomes 512Mi. */
function bytesOf(quantity: string): number {
  const [, number = '', unit = ''] = /^(\d+)([KMG]i|[kMG])?$/.exec(quantity) ?? [];
  const units: Record<string, number> = { '': 1, Ki: 1_024, Mi: MIB, Gi: 1_024 * MIB, k: 1e3, M: 1e6, G: 1e9 };
  return Number(number) * (units[unit] ?? Number.NaN);
}

/** Accepts the WebSocket and starts the command. Null where no subprotocol fits; the caller then answers. */
export async function serveExec(
  request: IncomingMessage,
  socket: Socket,
  protocols: readonly string[],
  start: (argv: string[]) => Promise<Box>,
): Promise<Box | null> {
  const asked = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
  const protocol = asked.find((one) => protocols.includes(one));
  if (protocol === undefined) return null;
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
  const box = await start(new URL(request.url ?? '/', 'http://node').searchParams.getAll('command'));
  socket.off('data', keep);
  connect(socket, box, early);
  return box;
}

/** Connects the channels of an exec with a box. */
function connect(socket: Socket, box: Box, early: readonly Buffer[]): void {
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

import { createHash, randomBytes } from 'node:crypto';
import { PassThrough, type Readable, Writable } from 'node:stream';
import { type KubernetesApi, KubernetesError } from './api.ts';
import { encodeFrame, type Frame, frameReader, OPCODE } from './frames.ts';

/**
 * A program that is started in a Pod, over a WebSocket with the subprotocol `v5.channel.k8s.io`: the first byte of each message is its
 * channel. The fifth version is needed because it can end standard input (Kubernetes 1.30 and later).
 */
export interface ExecChannel {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  /** Never rejects. */
  ended: Promise<ExecEnd>;
  /** Ends the connection; the program may go on. */
  destroy(): void;
}

interface ExecEnd {
  /** Null where the connection broke or the program could not be started. */
  code: number | null;
  /** What Kubernetes said, where it said anything. */
  message: string;
}

const PROTOCOL = 'v5.channel.k8s.io';
const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, status: 3, close: 255 } as const;
/** Of RFC 6455: it proves that the server knows the protocol. */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const CHUNK_BYTES = 32 * 1_024;
const MOST_FRAME = 4 * 1_048_576;
const MOST_STATUS = 65_536;
/** Proxies end connections that are idle for a minute or so. */
const PING_MS = 25_000;
const NEEDED = 'That needs Kubernetes 1.30 or later and the right to create pods/exec';
const LOST = 'The connection to the box was lost.';

export async function execInPod(
  api: KubernetesApi,
  { namespace, pod, container }: { namespace: string; pod: string; container: string },
  command: readonly string[],
): Promise<ExecChannel> {
  const query = new URLSearchParams({ container, stdin: 'true', stdout: 'true', stderr: 'true' });
  for (const part of command) query.append('command', part);
  const key = randomBytes(16).toString('base64');
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/exec?${query}`;
  const { socket, headers } = await api
    .upgrade(path, {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': key,
      'sec-websocket-version': '13',
      'sec-websocket-protocol': PROTOCOL,
    })
    .catch((error) => {
      if (!(error instanceof KubernetesError)) throw error;
      throw new KubernetesError(error.status, `no program can be started in the Pod (${error.message}). ${NEEDED}`);
    });
  const accept = createHash('sha1').update(`${key}${ACCEPT_SUFFIX}`).digest('base64');
  if (headers['sec-websocket-accept'] !== accept || headers['sec-websocket-protocol'] !== PROTOCOL) {
    socket.destroy();
    throw new KubernetesError(0, `the cluster does not speak ${PROTOCOL}. ${NEEDED}`);
  }

  const stdout = new PassThrough();
  const stderr = new PassThrough();
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  const ended = Promise.withResolvers<ExecEnd>();
  const read = frameReader(MOST_FRAME);
  let status = '';
  let channel = -1;
  let finished = false;
  const pings = setInterval(() => socket.write(encodeFrame(OPCODE.ping, Buffer.alloc(0))), PING_MS);

  const finish = (end: ExecEnd): void => {
    if (finished) return;
    finished = true;
    clearInterval(pings);
    stdout.end();
    stderr.end();
    socket.destroy();
    ended.resolve(end);
  };
  function deliver(data: Buffer): void {
    if (channel === CHANNEL.status && status.length < MOST_STATUS) status += data.toString('utf8');
    if (channel !== CHANNEL.stdout && channel !== CHANNEL.stderr) return;
    const stream = channel === CHANNEL.stdout ? stdout : stderr;
    // A reader that is slow slows down the program, as with a pipe.
    if (data.length === 0 || stream.write(data) || socket.isPaused()) return;
    socket.pause();
    stream.once('drain', () => socket.resume());
  }
  function take({ opcode, payload }: Frame): void {
    if (opcode === OPCODE.ping) socket.write(encodeFrame(OPCODE.pong, payload));
    if (opcode === OPCODE.close) finish(endOfStatus(status));
    if (opcode === OPCODE.continued) deliver(payload);
    if (opcode !== OPCODE.binary && opcode !== OPCODE.text) return;
    channel = payload[0] ?? -1;
    deliver(payload.subarray(1));
  }
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const frame of read(chunk)) take(frame);
    } catch (error) {
      finish({ code: null, message: (error as Error).message });
    }
  });
  socket.on('error', () => {});
  socket.once('close', () => finish(endOfStatus(status)));

  const stdin = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (finished) return done();
      let last = true;
      for (let at = 0; at < chunk.length; at += CHUNK_BYTES)
        last = socket.write(message(CHANNEL.stdin, chunk.subarray(at, at + CHUNK_BYTES)));
      if (last) return done();
      const go = (): void => {
        socket.off('drain', go);
        socket.off('close', go);
        done();
      };
      socket.on('drain', go);
      socket.on('close', go);
    },
    final(done) {
      if (!finished) socket.write(message(CHANNEL.close, Buffer.of(CHANNEL.stdin)));
      done();
    },
  });
  stdin.on('error', () => {});
  return { stdin, stdout, stderr, ended: ended.promise, destroy: () => finish({ code: null, message: LOST }) };
}

const message = (channel: number, data: Uint8Array): Buffer =>
  encodeFrame(OPCODE.binary, Buffer.concat([Buffer.of(channel), data]));

/** `{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}` */
function endOfStatus(text: string): ExecEnd {
  if (text === '') return { code: null, message: LOST };
  try {
    const status = JSON.parse(text) as {
      status?: string;
      message?: string;
      details?: { causes?: { reason?: string; message?: string }[] };
    };
    if (status.status === 'Success') return { code: 0, message: '' };
    const cause = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
    return { code: cause === undefined ? null : Number.parseInt(cause, 10), message: status.message ?? '' };
  } catch {
    return { code: null, message: text.slice(0, 200) };
  }
}

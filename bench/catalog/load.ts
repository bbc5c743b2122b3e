import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A separate process that sends requests as fast as they are answered, one at a time on each keep-alive connection. */

export interface LoadOrder {
  /** Connections are opened to them in turn. */
  ports: number[];
  paths: string[];
  /** Whole requests, as they go over the wire, in place of a GET of each path. */
  raw?: string[];
  /** Whether to begin again after the last path; else it ends there, before its time. */
  repeat: boolean;
  connections: number;
  /** At this pace, and not as fast as it is answered. */
  per_second?: number;
  duration_ms: number;
}

export interface LoadResult {
  requests: number;
  failed: number;
  bytes: number;
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  max_ms: number;
}

process.on('message', async (order: LoadOrder) => process.send?.(await run(order)));
process.on('disconnect', () => process.exit(0));

async function run({
  ports,
  paths,
  raw,
  repeat,
  connections,
  per_second,
  duration_ms,
}: LoadOrder): Promise<LoadResult> {
  const asked = raw ?? paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
  const times: number[] = [];
  const sum = { failed: 0, bytes: 0, next: 0 };
  const started = performance.now();
  const last = started + duration_ms;
  const one = async (number: number): Promise<void> => {
    const socket = connect({ port: ports[number % ports.length] as number, host: '127.0.0.1', noDelay: true });
    const ask = exchange(socket);
    while (performance.now() < last && (repeat || sum.next < asked.length)) {
      const turn = sum.next++;
      const text = asked[turn % asked.length] as string;
      if (per_second !== undefined) await until(started + (turn / per_second) * 1_000);
      const before = performance.now();
      const { status, bytes } = await ask(text);
      times.push(performance.now() - before);
      sum.bytes += bytes;
      if (status !== 200) sum.failed++;
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, (_, number) => one(number)));
  const spent = performance.now() - started;
  const sorted = Float64Array.from(times).sort();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    requests: times.length,
    failed: sum.failed,
    bytes: sum.bytes,
    per_second: (times.length / spent) * 1000,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    max_ms: at(1),
  };
}

async function until(due: number): Promise<void> {
  const early = due - performance.now();
  if (early > 0) await sleep(early);
}

interface Exchanged {
  status: number;
  bytes: number;
}

/** Reads no more of an answer than its status and its length. */
function exchange(socket: Socket): (request: string) => Promise<Exchanged> {
  let head = '';
  let left = -1;
  let status = 0;
  let length = 0;
  let done: (exchanged: Exchanged) => void = () => {};
  socket.on('data', (chunk: Buffer) => {
    let body = chunk.length;
    if (left < 0) {
      const before = head.length;
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      status = Number(head.slice(9, 12));
      length = Number(/\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1] ?? 0);
      left = length;
      body = before + chunk.length - end - 4;
      head = '';
    }
    left -= body;
    if (left > 0) return;
    left = -1;
    done({ status, bytes: length });
  });
  socket.on('error', () => done({ status: 0, bytes: 0 }));
  return (request) => {
    const answered = Promise.withResolvers<Exchanged>();
    done = answered.resolve;
    socket.write(request);
    return answered.promise;
  };
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that is slow, or lets nothing back. */
interface SlowWay {
  port: number;
  /** How many connections there were. */
  count(): number;
  close(): void;
}

/** `wait_ms` is how long the bytes from the server of the nth connection wait, except the first ones; null lets none through. */
export async function startSlowWay(to: URL, wait_ms: (nth: number) => number | null): Promise<SlowWay> {
  const open = new Set<Socket>();
  let count = 0;
  const server = createServer((here) => {
    const wait = wait_ms(++count);
    const there = connect(Number(to.port), to.hostname);
    let untilMs = 0;
    there.on('data', (bytes) => {
      if (wait === null) return;
      const nowMs = performance.now();
      if (untilMs === 0) here.write(bytes);
      else setTimeout(() => here.writable && here.write(bytes), Math.max(0, untilMs - nowMs));
      untilMs ||= nowMs + wait;
    });
    here.on('data', (bytes) => there.write(bytes));
    for (const [one, other] of [[here, there] as const, [there, here] as const]) {
      open.add(one);
      one.on('error', () => {}).on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    count: () => count,
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

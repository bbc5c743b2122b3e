import type { Socket } from 'node:net';
import type { HostUse, RefusalReason } from './egress.ts';
import type { EgressLimits } from './limits.ts';
import { readHello } from './read-hello.ts';
import { isRetryRequest, RETRY_BYTES } from './retry-request.ts';

interface RelayOptions {
  /** The box's side; paused, with everything that was read from it in `first`. */
  client: Socket;
  server: Socket;
  first: Buffer;
  /** Whether `first` is a ClientHello for `name`. */
  tls: boolean;
  name: string;
  /** The record in which bytes are counted. */
  row: HostUse;
  limits: EgressLimits;
  /** Takes bytes from the box's remaining budget; false if it is used up. */
  spend(bytes: number): boolean;
  /** Called if the relay ends the connection, which is destroyed afterwards. */
  refused(reason: RefusalReason): void;
}

/** Passes bytes in both directions until both sides have ended, with limits on time and bytes. */
export function relay(options: RelayOptions): void {
  const { client, server, first, tls, name, limits, row } = options;
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    clearTimeout(idle);
    clearTimeout(total);
    client.destroy();
    server.destroy();
  };
  const refuse = (reason: RefusalReason): void => {
    if (!stopped) options.refused(reason);
    stop();
  };
  const end = (): void => {
    // If one side has ended, nothing was cut off.
    if (client.readableEnded || server.readableEnded) stop();
    else refuse('timeout');
  };
  let idle = setTimeout(end, limits.idle_ms);
  const total = setTimeout(end, limits.total_ms);
  const pass = (to: Socket, bytes: Buffer, counter: 'bytes_in' | 'bytes_out'): void => {
    if (stopped) return;
    clearTimeout(idle);
    idle = setTimeout(end, limits.idle_ms);
    if (!options.spend(bytes.length)) {
      refuse('too_large');
      return;
    }
    row[counter] += bytes.length;
    const from = to === client ? server : client;
    if (!to.write(bytes)) from.pause();
  };
  for (const side of [client, server]) {
    const other = side === client ? server : client;
    side.on('error', stop);
    side.on('end', () => other.end());
    side.on('close', () => {
      // A side that ended normally still receives data until the other side has ended, too.
      if (side.errored !== null || !side.readableEnded || other.destroyed) stop();
    });
  }
  server.on('drain', () => {
    if (open) client.resume();
  });
  client.on('drain', () => server.resume());

  let open = false;
  const start = (): void => {
    open = true;
    client.on('data', (chunk: Buffer) => pass(server, chunk, 'bytes_out'));
    client.resume();
  };
  const startAfterSecondHello = async (): Promise<void> => {
    const second = await readHello(client, { name, plain: false, timeout_ms: limits.hello_ms, after_retry: true });
    if ('bytes' in second) {
      pass(server, second.bytes, 'bytes_out');
      start();
    } else if (second.refused === 'ended') stop();
    else refuse(second.refused);
  };
  let seen = tls ? Buffer.alloc(0) : null;
  server.on('data', (chunk: Buffer) => {
    pass(client, chunk, 'bytes_in');
    if (seen === null) return;
    seen = Buffer.concat([seen, chunk.subarray(0, RETRY_BYTES)]);
    const retry = isRetryRequest(seen);
    if (retry === null) return;
    seen = null;
    if (retry) void startAfterSecondHello();
    else start();
  });
  pass(server, first, 'bytes_out');
  // The client's next bytes wait until the server has responded, because they can be a second ClientHello.
  if (!tls) start();
}

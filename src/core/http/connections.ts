import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Limits what one connection can occupy: waiting requests, and bytes that the client does not read. */

/**
 * Maximum number of waiting requests on one connection. No well-behaved client sends that many before reading a
 * response.
 */
export const MAX_WAITING_REQUESTS = 100;

/**
 * Handles the requests of one connection one after the other. Each starts when the previous response has left the
 * process, so that at most one response is in memory; nothing more is read until then. A connection with more than 100
 * waiting requests is cut.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // Node assigns the socket to the next response to send. Without pipelining, every response has it at once.
    if (response.socket !== null) return listener(request, response);
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING_REQUESTS) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    socket.pause();
    response.once('socket', () => {
      const left = (waiting.get(socket) ?? 1) - 1;
      waiting.set(socket, left);
      if (left === 0) socket.resume();
      listener(request, response);
    });
  };
}

/** How long a client may not read any of a response. */
export const SEND_TIMEOUT_MS = 30_000;

/**
 * Cuts connections that make no progress, with unsent bytes or idle. `isWorking` is true while a request is being
 * handled, because then the silence is ours.
 */
export function limitSilence(server: Server, timeout_ms: number, isWorking: (socket: Socket) => boolean): void {
  server.timeout = timeout_ms;
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0 || !isWorking(socket)) socket.destroy();
  });
}

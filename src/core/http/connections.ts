import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';

/** What one connection may have the server hold: requests that wait for their turn, and bytes that nobody reads. */

/** Requests that may wait on one connection. Nobody who means well sends as many before reading an answer. */
export const MAX_WAITING_REQUESTS = 100;

/**
 * Answers the requests of one connection one after the other. Each is begun when the answers before it have left the process,
 * so that at most one of them is held in memory; until then nothing more is read. A connection with more than 100 requests
 * waiting is cut.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // Node gives the socket to the response that is next to be sent: without pipelining, to each at once.
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

/** How long a client may read nothing of an answer. */
export const SEND_TIMEOUT_MS = 30_000;

/**
 * Cuts connections that make no progress: with unsent bytes, or idle. `isWorking`: a request on it has not been answered yet,
 * so silence is ours.
 */
export function limitSilence(server: Server, timeout_ms: number, isWorking: (socket: Socket) => boolean): void {
  server.timeout = timeout_ms;
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0 || !isWorking(socket)) socket.destroy();
  });
}

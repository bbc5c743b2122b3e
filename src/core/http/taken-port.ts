import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenProblem } from './listen-problem.ts';

/**
 * Throws `startup.port_taken` where somebody listens on it. Sockets that share a port share it with those of another process
 * of the same user too, which nobody would notice.
 */
export async function refuseTakenPort(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen({ host, port, exclusive: true }), 'listening');
  } catch (error) {
    throw listenProblem(error as NodeJS.ErrnoException, host, port);
  }
  await new Promise((resolve) => server.close(resolve));
}

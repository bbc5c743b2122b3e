import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenProblem } from './listen-problem.ts';

/**
 * Throws `startup.unavailable` (`port_taken`) if another process listens on the port. A shared port would otherwise also be shared with
 * another process of the same user, unnoticed.
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

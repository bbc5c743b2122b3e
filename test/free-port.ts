import { createServer } from 'node:net';

/** Below the ports that systems hand out by themselves, so that no connection and no other server takes it meanwhile. */
const [FIRST, LAST] = [10_240, 32_000];

/** The service has to know its own address before it listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

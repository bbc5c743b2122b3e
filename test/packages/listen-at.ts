import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TEST_CERTIFICATE, TEST_KEY } from '../fakes/test-authority.ts';

/** A name below `example.test` or `other.test`, which has a certificate. */
export interface TestHost {
  name: string;
}

/** A server on loopback: by name over TLS, or at its address without. */
export async function listenAt(
  host: TestHost | undefined,
  answer: RequestListener,
): Promise<{ origin: string; close(): Promise<void> }> {
  const server =
    host === undefined ? createServer(answer) : createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: host === undefined ? `http://127.0.0.1:${port}` : `https://${host.name}:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

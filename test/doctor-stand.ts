import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Check } from '#core/doctor/check.ts';

/** What a check finds, a line each: its level, what was seen, and what to do. */
export async function found(check: Check, signal = new AbortController().signal): Promise<string[]> {
  const findings = await check.run(signal);
  return findings.map(({ level, seen, fix }) => `${level}: ${seen}${fix === undefined ? '' : ` → ${fix}`}`);
}

/** An HTTP server on loopback. */
export async function answering(listener: RequestListener): Promise<AsyncDisposable & { url: string; port: number }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

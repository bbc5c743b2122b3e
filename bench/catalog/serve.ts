import type { AddressInfo } from 'node:net';

/** What every server under measurement tells the measuring process. */
export type FromServer = { kind: 'listening'; port: number } | { kind: 'usage'; cpu_us: number; rss: number };

/** Announces the port and answers questions about this process's own use of time and memory. */
export function report(address: AddressInfo | string | null): void {
  const send = (message: FromServer): void => void process.send?.(message);
  process.on('message', (message) => {
    if (message !== 'usage') return;
    const { user, system } = process.cpuUsage();
    send({ kind: 'usage', cpu_us: user + system, rss: process.memoryUsage.rss() });
  });
  process.on('disconnect', () => process.exit(0));
  send({ kind: 'listening', port: (address as AddressInfo).port });
}

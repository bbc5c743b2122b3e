import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';

/** What every server under measurement tells the measuring process. */
export type FromServer =
  | { kind: 'listening'; port: number }
  /** `pss`: bytes of memory, of which those shared with other processes are divided among them; NaN where not told. */
  | { kind: 'usage'; cpu_us: number; rss: number; pss: number };

/** Announces the port and answers questions about this process's own use of time and memory. */
export function report(address: (Pick<AddressInfo, 'port'> & Partial<AddressInfo>) | string | null): void {
  const send = (message: FromServer): void => void process.send?.(message);
  process.on('message', (message) => {
    if (message !== 'usage') return;
    const { user, system } = process.cpuUsage();
    send({ kind: 'usage', cpu_us: user + system, rss: process.memoryUsage.rss(), pss: readPss() });
  });
  process.on('disconnect', () => process.exit(0));
  send({ kind: 'listening', port: (address as AddressInfo).port });
}

const SMAPS = '/proc/self/smaps_rollup';

function readPss(): number {
  if (!existsSync(SMAPS)) return Number.NaN;
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(SMAPS, 'utf8'))?.[1]) * 1_024;
}

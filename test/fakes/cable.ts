import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a port of this machine that can be cut: nothing gets through any more, and neither end is notified. */
interface Cable {
  port: number;
  cut(): void;
  /** What was open stays dead, as behind a firewall that forgot it; new connections work. */
  mend(): void;
  close(): void;
}

export async function startCable(to: number): Promise<Cable> {
  let isCut = false;
  let cuts = 0;
  const open = new Set<Socket>();
  const server = createServer((here) => {
    const there = connect(to, '127.0.0.1');
    const cutsBefore = cuts;
    const isDead = () => isCut || cuts !== cutsBefore;
    const carry = (from: Socket, other: Socket) => {
      open.add(from);
      from.on('data', (chunk) => {
        if (!isDead()) other.write(chunk);
      });
      from.on('error', () => {});
      from.on('close', () => {
        open.delete(from);
        if (!isDead()) other.destroy();
      });
    };
    carry(here, there);
    carry(there, here);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
      cuts++;
    },
    mend: () => {
      isCut = false;
    },
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

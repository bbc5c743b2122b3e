import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from './remove-folder.ts';

/** Things of the host that attacks aim at: a secret file, a port, an abstract socket, this process. */
export interface Canary {
  /** Passed to the attacks. */
  env: Record<string, string>;
  /** A folder with a file `data`, to be mounted read-only. */
  read_only: string;
  /** A new empty folder that a box may fill. */
  disk(): string;
  close(): Promise<void>;
}

interface CanaryOptions {
  /** The folder to be made in; without it that of temporary files. */
  canary_dir?: string;
  /** The address of the port; without it the loopback. */
  canary_host?: string | null;
}

const LOOPBACK = '127.0.0.1';

export async function openCanary({ canary_dir = tmpdir(), canary_host = null }: CanaryOptions = {}): Promise<Canary> {
  const dir = mkdtempSync(join(realpathSync(canary_dir), 'capstan-box-'));
  const host = canary_host ?? LOOPBACK;
  const secret = join(dir, 'secret');
  // Readable for all users, so that file permissions are not the reason why a box cannot read it.
  chmodSync(dir, 0o755);
  writeFileSync(secret, 'secret of the host', { mode: 0o644 });
  const read_only = join(dir, 'read-only');
  mkdirSync(read_only, { mode: 0o755 });
  writeFileSync(join(read_only, 'data'), 'data', { mode: 0o666 });
  const socketName = `capstan-${randomUUID()}`;
  const portServer = await listen({ host, port: 0 });
  const socketServer = await listen({ path: `\0${socketName}` });
  const address = portServer.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const env = {
    CANARY_FILE: secret,
    CANARY_HOST: host,
    CANARY_PORT: `${port}`,
    CANARY_SOCKET: socketName,
    CANARY_PID: `${process.pid}`,
    CANARY_BEGAN: readFileSync('/proc/self/stat', 'latin1').split(' ')[21] ?? '',
  };
  return {
    env,
    read_only,
    disk: () => {
      const disk = join(dir, randomUUID());
      mkdirSync(disk, { mode: 0o755 });
      return disk;
    },
    close: async () => {
      for (const server of [portServer, socketServer]) server.close();
      await removeFolder(dir);
    },
  };
}

function listen(where: { host: string; port: number } | { path: string }): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => {}).end());
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => resolve(server));
  });
}

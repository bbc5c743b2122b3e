import { randomUUID } from 'node:crypto';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Secrets } from './judge.ts';

/** What is worth an attack: a file, a directory, a variable, listeners. Nothing but the sandbox keeps them. */
interface Targets {
  secrets: Secrets;
  /** `@FILE@`, `@DIR@`, `@ENV@`, `@NODE@`, `@PID@`, `@PORT@` and `@UDP@` as they are. */
  fill(source: string): string;
  /** What was done to them; empty where nothing. */
  damage(): string[];
  close(): void;
}

const ENV = 'CAPSTAN_TEST_CANARY';

export async function openTargets(): Promise<Targets> {
  const secrets = { file: `canary-file-${randomUUID()}`, environment: `canary-env-${randomUUID()}` };
  process.env[ENV] = secrets.environment;
  const dir = mkdtempSync(join(tmpdir(), 'capstan-hostile-'));
  const file = join(dir, 'secret');
  writeFileSync(file, secrets.file);
  // Code that escapes can read, write and delete here, even as another user.
  chmodSync(dir, 0o777);
  chmodSync(file, 0o666);
  const before = stateOf(dir);
  const listeners = await openListeners();
  const known: Record<string, string> = {
    FILE: file,
    DIR: dir,
    ENV,
    NODE: process.execPath,
    PID: `${process.pid}`,
    PORT: `${listeners.port}`,
    UDP: `${listeners.udp_port}`,
  };
  return {
    secrets,
    fill: (source) => source.replace(/@([A-Z]+)@/g, (all, name: string) => known[name] ?? all),
    damage: () => [
      ...listeners.heard.map((what) => `a listener heard ${what}`),
      ...(stateOf(dir) === before ? [] : [`files of the host changed: ${stateOf(dir)}`]),
    ],
    close: () => {
      listeners.close();
      delete process.env[ENV];
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function stateOf(dir: string): string {
  try {
    const file = join(dir, 'secret');
    return JSON.stringify([readdirSync(dir, { recursive: true }), readFileSync(file, 'latin1'), statSync(file).mode]);
  } catch (error) {
    return String(error);
  }
}

async function openListeners() {
  const heard: string[] = [];
  const tcp = net.createServer((socket) => {
    heard.push('a connection');
    socket.destroy();
  });
  await once(tcp.listen(0, '127.0.0.1'), 'listening');
  const udp = dgram.createSocket('udp4', (message) => void heard.push(`a packet of ${message.length} bytes`));
  await once(udp.bind(0, '127.0.0.1'), 'listening');
  const close = () => {
    tcp.close();
    udp.close();
  };
  return { heard, port: (tcp.address() as AddressInfo).port, udp_port: udp.address().port, close };
}

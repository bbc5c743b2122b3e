import { randomUUID } from 'node:crypto';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox, SandboxLimits, SandboxResult } from '../../src/features/execution/sandbox/sandbox.ts';
import { openWorld } from '../world.ts';
import type { HostileScript } from './hostile-scripts.ts';
import { breachesOf, type Secrets } from './judge.ts';
import { watchService } from './watch-service.ts';

/** A service with something to steal: a file, an environment, listeners; and a watch on all that must stay as it is. */
export interface HostileStand extends AsyncDisposable {
  run(sandbox: Sandbox, script: Attack): Promise<{ result: SandboxResult; breaches: string[] }>;
  /** What all of them together have done to the service and the machine; empty where nothing. */
  damage(): Promise<string[]>;
  /** The worst that was seen of the service and the scripts. */
  figures(): string;
}

export type Attack = Pick<HostileScript, 'language' | 'source' | 'timeout_ms'>;

export const LIMITS: Omit<SandboxLimits, 'timeout_ms'> = { memory_mb: 64, output_bytes: 100_000 };
const ENV = 'CAPSTAN_TEST_CANARY';

export async function openHostileStand(more: Partial<SandboxLimits> = {}): Promise<HostileStand> {
  const secrets: Secrets = { file: `canary-file-${randomUUID()}`, environment: `canary-env-${randomUUID()}` };
  process.env[ENV] = secrets.environment;
  const dir = mkdtempSync(join(tmpdir(), 'capstan-hostile-'));
  const file = join(dir, 'secret');
  writeFileSync(file, secrets.file);
  // Whoever gets out can read, write and delete here: nothing but the sandbox keeps it.
  chmodSync(dir, 0o777);
  chmodSync(file, 0o666);
  const before = stateOf(dir);
  const listeners = await openListeners();
  const world = await openWorld();
  const service = watchService(world, more.memory_mb ?? LIMITS.memory_mb);
  const known: Record<string, string> = {
    ...{ FILE: file, DIR: dir, ENV, NODE: process.execPath, PID: `${process.pid}` },
    ...{ PORT: `${listeners.port}`, UDP: `${listeners.udp_port}` },
  };
  return {
    run: async (sandbox, { language, source, timeout_ms }) => {
      const limits = { ...LIMITS, ...more, timeout_ms };
      const text = source.replace(/@([A-Z]+)@/g, (all, name: string) => known[name] ?? all);
      const files = new Map([['main', Buffer.from(text)]]);
      const result = await sandbox.run({ language, files, entry: 'main', stdin: '{}', limits });
      return { result, breaches: breachesOf(result, limits, secrets) };
    },
    figures: service.figures,
    damage: async () => [
      ...listeners.heard.map((what) => `a listener heard ${what}`),
      ...(stateOf(dir) === before ? [] : [`files of the host changed: ${stateOf(dir)}`]),
      ...(await service.harm()),
    ],
    [Symbol.asyncDispose]: async () => {
      service.stop();
      listeners.close();
      delete process.env[ENV];
      rmSync(dir, { recursive: true, force: true });
      await world.close();
    },
  };
}

const stateOf = (dir: string): string =>
  JSON.stringify([
    readdirSync(dir, { recursive: true }),
    readFileSync(join(dir, 'secret'), 'latin1'),
    statSync(join(dir, 'secret')).mode,
  ]);

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

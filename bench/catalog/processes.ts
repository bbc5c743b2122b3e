import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { LoadOrder, LoadResult } from './load.ts';
import type { FromServer } from './serve.ts';

/** Servers and the load generator as processes of their own. */

export interface Server {
  port: number;
  usage(): Promise<{ cpu_us: number; rss: number; pss: number }>;
  stop(): Promise<void>;
}

const start = (file: string, args: string[], execArgv: string[] = []): ChildProcess =>
  fork(new URL(file, import.meta.url), args, { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.disconnect();
  await once(child, 'exit');
}

async function next<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController();
  const died = once(child, 'exit', { signal: ended.signal }).then(() =>
    Promise.reject(new Error(`${child.spawnargs} ended`)),
  );
  died.catch(() => {});
  const [message] = await Promise.race([once(child, 'message'), died]);
  ended.abort();
  return message as T;
}

/** `flags` are for Node. */
export async function startServer(file: string, args: string[], flags: string[] = []): Promise<Server> {
  const child = start(file, args, flags);
  const message = await next<FromServer>(child);
  if (message.kind !== 'listening') throw new Error('a server that does not listen');
  return {
    port: message.port,
    usage: async () => {
      child.send('usage');
      const { kind: _, ...usage } = await next<Extract<FromServer, { kind: 'usage' }>>(child);
      return usage;
    },
    stop: () => stop(child),
  };
}

export interface Measured extends LoadResult {
  /** The server's processor time a request, microseconds. */
  cpu_us: number;
}

const cpuOf = async (servers: Server[]): Promise<number> =>
  (await Promise.all(servers.map((server) => server.usage()))).reduce((sum, { cpu_us }) => sum + cpu_us, 0);

export async function startLoad() {
  const child = start('./load.ts', []);
  return {
    /** Of one server, or of several that answer together. */
    async measure(server: Server | Server[], order: Omit<LoadOrder, 'ports'>): Promise<Measured> {
      const servers = [server].flat();
      const before = await cpuOf(servers);
      child.send({ ...order, ports: servers.map(({ port }) => port) } satisfies LoadOrder);
      const result = await next<LoadResult>(child);
      return { ...result, cpu_us: ((await cpuOf(servers)) - before) / result.requests };
    },
    stop: () => stop(child),
  };
}

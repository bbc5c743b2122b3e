import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { LoadOrder, LoadResult } from './load.ts';
import type { FromServer } from './serve.ts';

/** Servers and the load generator as processes of their own. */

export interface Server {
  port: number;
  usage(): Promise<{ cpu_us: number; rss: number }>;
  stop(): Promise<void>;
}

const start = (file: string, args: string[]): ChildProcess =>
  fork(new URL(file, import.meta.url), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

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

export async function startServer(file: string, args: string[]): Promise<Server> {
  const child = start(file, args);
  const message = await next<FromServer>(child);
  if (message.kind !== 'listening') throw new Error('a server that does not listen');
  return {
    port: message.port,
    usage: async () => {
      child.send('usage');
      const { cpu_us, rss } = await next<Extract<FromServer, { kind: 'usage' }>>(child);
      return { cpu_us, rss };
    },
    stop: () => stop(child),
  };
}

export interface Measured extends LoadResult {
  /** The server's processor time a request, microseconds. */
  cpu_us: number;
}

export async function startLoad() {
  const child = start('./load.ts', []);
  return {
    async measure(server: Server, order: Omit<LoadOrder, 'port'>): Promise<Measured> {
      const before = await server.usage();
      child.send({ ...order, port: server.port } satisfies LoadOrder);
      const result = await next<LoadResult>(child);
      const after = await server.usage();
      return { ...result, cpu_us: (after.cpu_us - before.cpu_us) / result.requests };
    },
    stop: () => stop(child),
  };
}

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openServing } from '#app/serving.ts';
import { SETTINGS } from '#app/settings.ts';
import { readConfig } from '#core/config/config.ts';
import type { DatabaseConfig } from '#core/db/open.ts';
import { newId } from '#core/ids.ts';
import { createLog } from '#core/log.ts';
import { standOffer } from './mcp-stand.ts';

/** The service in two threads on one port, and a kept connection to each of them. */

interface Told {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

interface Answered {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** One connection; what it is asked comes to the same thread each time. */
export interface Asking {
  ask(path: string, told?: Told): Promise<Answered>;
  /** With the answer's body as it comes. */
  open(path: string, told?: Told): Promise<IncomingMessage>;
}

const MOST_CONNECTIONS = 64;

export async function openServingStand(config: DatabaseConfig, env: Record<string, string>) {
  const ownDir = await mkdtemp(join(tmpdir(), 'capstan-serving-'));
  const place: Record<string, string> =
    config.engine === 'sqlite' ? { DATA_DIR: dirname(config.path) } : { DATA_DIR: ownDir, DATABASE_URL: config.url };
  const fixed = { CAPSTAN_PROVIDERS: 'off', PORT: '0', CAPSTAN_THREADS: '2', LOG_LEVEL: 'silent' };
  const settings = readConfig(SETTINGS, { ...fixed, ...place, ...env });
  // What the first thread answered is in its log; the other one's stays with it.
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  const serving = await openServing({ config: settings, log, role: 'quiet', offer: standOffer });
  const { port } = await serving.listen();
  const agents: Agent[] = [];
  const connect = (): Asking => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    const open: Asking['open'] = async (path, { method = 'GET', headers = {}, body } = {}) => {
      const sent = body === undefined ? headers : { 'content-type': 'application/json', ...headers };
      const asked = request({ port, host: '127.0.0.1', path, method, headers: sent, agent });
      asked.end(body === undefined ? undefined : JSON.stringify(body));
      return ((await once(asked, 'response')) as [IncomingMessage])[0];
    };
    const ask: Asking['ask'] = async (path, told) => {
      const answer = await open(path, told);
      return { status: answer.statusCode as number, headers: answer.headers, text: await text(answer) };
    };
    return { ask, open };
  };
  const isOfFirst = async ({ ask }: Asking): Promise<boolean> => {
    const id = newId();
    await ask('/healthz', { headers: { 'x-request-id': id } });
    return lines.some((line) => line.includes(id));
  };
  const found: Partial<Record<'first' | 'further', Asking>> = {};
  for (let n = 0; n < MOST_CONNECTIONS && (found.first === undefined || found.further === undefined); n++) {
    const asking = connect();
    found[(await isOfFirst(asking)) ? 'first' : 'further'] ??= asking;
  }
  const { first, further } = found as Record<'first' | 'further', Asking>;
  let closing: Promise<void> | undefined;
  const close = (graceMs = 0): Promise<void> => {
    closing ??= serving.close(graceMs).finally(async () => {
      for (const agent of agents) agent.destroy();
      await rm(ownDir, { recursive: true, force: true });
    });
    return closing;
  };
  return { serving, lines, port, first, further, connect, data_dir: settings.server.data_dir, close };
}

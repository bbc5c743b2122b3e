import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createApp } from '#app/app.ts';
import { SETTINGS } from '#app/settings.ts';
import { readConfig } from '#core/config/config.ts';
import { LIMIT_SETTINGS } from '#core/limits/settings.ts';
import { createLog } from '#core/log.ts';
import { type Account, accountsOf } from '../accounts.ts';
import { freePort } from '../free-port.ts';
import { copySqlite } from '../migrated.ts';
import { freshDir, ROOT } from '../process/capstand.ts';
import type { World } from '../world.ts';

/** The real service in a separate process, whose serving thread is watched; and an account, made on its database. */

export interface Held {
  /** Longest processor time between two turns of the serving thread's event loop. */
  worst_ms: number;
  /** Processor time of the serving thread from begin to end. */
  total_ms: number;
  rss_mb: number;
}

export interface HeldService extends AsyncDisposable {
  url: string;
  port: number;
  account: Account;
  /** What the service was held by while `act` ran. One at a time. */
  measure(act: () => Promise<unknown>): Promise<Held>;
  /** After a garbage collection. */
  rss(): Promise<number>;
  world: Pick<World, 'database'>;
}

const UNLIMITED = Object.fromEntries(
  Object.keys(LIMIT_SETTINGS).map((name) => [`CAPSTAN_LIMIT_${name.toUpperCase()}`, '100000/1s']),
);

export async function startHeld(more: Record<string, string> = {}): Promise<HeldService> {
  const data_dir = await freshDir();
  const port = await freePort();
  const settings = {
    ...UNLIMITED,
    DATA_DIR: data_dir,
    PORT: `${port}`,
    CAPSTAN_PROVIDERS: 'off',
    LOG_LEVEL: 'error',
    ...more,
  };
  await copySqlite(`${data_dir}/capstan.db`);
  const config = readConfig(SETTINGS, settings);
  const beside = await createApp({ config, log: createLog('silent'), role: 'quiet' });
  const url = `http://127.0.0.1:${port}`;
  const world = { ...beside, data_dir } as unknown as World;
  const account = await (await accountsOf(world, undefined, url)).signUp();
  const preload = new URL('./preload.mjs', import.meta.url).pathname;
  const flags = [
    '--expose-gc',
    '--import',
    './src/app/compile-cache.mjs',
    '--import',
    preload,
    '--max-semi-space-size=2',
  ];
  const child = spawn(process.execPath, [...flags, 'src/app/main.ts', 'serve'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...settings, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  const ready = Promise.withResolvers<void>();
  child.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-20_000);
    if (said.includes('Capstan is ready')) ready.resolve();
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void ended.then(() => ready.reject(new Error(`The service has ended: ${said.slice(-2_000)}`)));
  await ready.promise;
  const waiting = new Map<number, (held: Held) => void>();
  let asked = 0;
  child.on('message', (answer: Held & { id: number }) => waiting.get(answer.id)?.(answer));
  const ask = (kind: 'begin' | 'end' | 'collect'): Promise<Held> =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, resolve);
      void ended.then(() => reject(new Error(`The service has ended: ${said.slice(-2_000)}`)));
      child.send({ id, kind });
    });
  return {
    url,
    port,
    account,
    world: beside,
    measure: async (act) => {
      await ask('begin');
      await act();
      return ask('end');
    },
    rss: async () => (await ask('collect')).rss_mb,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
      await beside.close();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

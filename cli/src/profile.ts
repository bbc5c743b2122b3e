import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from './failure.ts';
import type { World } from './world.ts';

/** The stored state of the program: the address of the service, and its tokens, each in a separate file. */

export interface StoredToken {
  access_token: string;
  /** Of a sign-in by the browser; empty for what cannot be renewed that way. */
  refresh_token: string;
  client_id: string;
  expires_at: string | null;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

const dirOf = (world: World, of: 'XDG_CONFIG_HOME' | 'XDG_STATE_HOME' | 'XDG_CACHE_HOME', fallback: string): string =>
  join(world.env[of] || join(world.home, fallback), 'capstan');
const configDir = (world: World): string => dirOf(world, 'XDG_CONFIG_HOME', '.config');
export const stateDir = (world: World): string => dirOf(world, 'XDG_STATE_HOME', '.local/state');

/** What `--local` keeps: prepared packages, which can be fetched again; runs and their receipts; servers; and its key. */
export const localCache = (world: World): string => join(dirOf(world, 'XDG_CACHE_HOME', '.cache'), 'local');
export const localState = (world: World, ...path: string[]): string => join(stateDir(world), 'local', ...path);
export const localServers = (world: World): string => join(configDir(world), 'local');
export const localKeyFile = (world: World): string => join(configDir(world), 'local-key.json');

interface Config {
  url?: string;
}

export async function serviceUrl(world: World, given: string | undefined): Promise<string> {
  const config = await readJson<Config>(join(configDir(world), 'config.json'));
  const url = given ?? (world.env.CAPSTAN_URL || config?.url) ?? DEFAULT_URL;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new Failure('cli.url', `${url} is not a valid service URL.`, {
      fix: 'Use a URL such as https://capstan.example.',
      exit_code: 2,
    });
  return url.replace(/(?<!\/)\/+$/, '');
}

export const rememberUrl = (world: World, url: string): Promise<void> =>
  writeJson(join(configDir(world), 'config.json'), { url } satisfies Config);

const tokensFile = (world: World): string => join(configDir(world), 'credentials.json');
type Tokens = Record<string, StoredToken>;

export async function readToken(world: World, url: string): Promise<StoredToken | null> {
  return (await readJson<Tokens>(tokensFile(world)))?.[url] ?? null;
}

/** Null forgets it. */
export async function storeToken(world: World, url: string, token: StoredToken | null): Promise<void> {
  await changeJson<Tokens>(tokensFile(world), (now) => {
    const { [url]: _, ...others } = now ?? {};
    return token === null ? others : { ...others, [url]: token };
  });
}

const devicesFile = (world: World): string => join(configDir(world), 'devices.json');
type Devices = Record<string, string>;

/** What tells the service that this machine signed in by email before; it signs nobody in. */
export async function readDevice(world: World, url: string): Promise<string | null> {
  return (await readJson<Devices>(devicesFile(world)))?.[url] ?? null;
}

export const storeDevice = (world: World, url: string, device: string): Promise<void> =>
  changeJson<Devices>(devicesFile(world), (now) => ({ ...now, [url]: device }));

export async function readJson<T>(file: string): Promise<T | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Failure('cli.file', `${file} is not valid JSON.`, { fix: 'Fix it, or delete it and sign in again.' });
  }
}

/** Reads, changes and writes a file with nobody else at it: two calls of the program at once lose nothing of each other. */
export async function changeJson<T>(file: string, change: (now: T | null) => T): Promise<void> {
  await whileLocked(file, async () => writeJson(file, change(await readJson<T>(file))));
}

/** Does the work with no other call of the program at this file. */
export async function whileLocked<T>(file: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const lock = `${file}.lock`;
  await take(lock);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** One that is this old was left behind by a program that was killed. */
const LEFT_BEHIND_MS = 10_000;

async function take(lock: string): Promise<void> {
  for (;;) {
    const taken = await writeFile(lock, '', { flag: 'wx', mode: 0o600 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    if (taken) return;
    const sinceMs = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (sinceMs > LEFT_BEHIND_MS) await rm(lock, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** For the user alone, and whole or not at all: a token is never half written. */
async function writeJson(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${randomUUID()}`;
  await writeFile(beside, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await chmod(beside, 0o600);
  await rename(beside, file);
}

import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import type { LocalSeams } from './local/seams.ts';

/** What the program has around it. Tests give it another one. */
export interface World {
  env: Record<string, string | undefined>;
  cwd: string;
  home: string;
  platform: NodeJS.Platform;
  stdin: Input;
  stdout: Output;
  stderr: Output;
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /** Shows an address to the user; false where nothing could be started. */
  openBrowser(url: string): Promise<boolean>;
  signal: AbortSignal;
  /** Of Node, and of this program. */
  program: readonly [node: string, script: string];
  /** What tests put in place of parts of this machine's boxes. */
  local?: LocalSeams;
}

export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

interface Input extends AsyncIterable<Buffer | string> {
  isTTY?: boolean;
  /** Ends reading, which would otherwise keep the process alive. */
  destroy?(): unknown;
}

export function realWorld(signal: AbortSignal): World {
  const { env, stdin, stdout, stderr, platform } = process;
  return {
    env,
    stdin,
    stdout,
    stderr,
    platform,
    signal,
    openBrowser: (url) => openBrowser(url, platform),
    cwd: process.cwd(),
    program: [process.execPath, realpathSync(process.argv[1] as string)],
    home: homedir(),
    fetch: fetchOf(env),
  };
}

const PROXIES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'];

export function fetchOf(env: World['env']): World['fetch'] {
  if (!PROXIES.some((name) => env[name])) return (url, init) => fetch(url, init);
  let proxied: Promise<World['fetch']> | undefined;
  return async (url, init) => {
    proxied ??= import('./proxied.ts').then((module) => module.proxiedFetch(env));
    return (await proxied)(url, init);
  };
}

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
};

/** The address is one word of the command and sees no shell. What is no page, such as a file or a flag, is not opened. */
export async function openBrowser(url: string, platform: NodeJS.Platform): Promise<boolean> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '') || !/^https?:\/\//i.test(url)) return false;
  const [command, ...args] = OPENERS[platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.unref();
  return new Promise((resolve) => child.once('error', () => resolve(false)).once('spawn', () => resolve(true)));
}

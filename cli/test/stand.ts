import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../src/program.ts';
import type { World } from '../src/world.ts';

/** The program with its own home folder, in this process. */
interface Stand extends AsyncDisposable {
  home: string;
  cwd: string;
  call(args: readonly string[], more?: Partial<Around>): Promise<Called>;
  /** Answers the JSON that was printed; throws where the exit code is not 0. */
  json<T = unknown>(...args: string[]): Promise<T>;
  write(file: string, text: string): Promise<string>;
}

interface Around {
  env: Record<string, string>;
  stdin: string;
  tty: boolean;
  openBrowser: World['openBrowser'];
  fetch: World['fetch'];
  platform: World['platform'];
  local: NonNullable<World['local']>;
  signal: AbortSignal;
  /** Hears what goes to stderr as it comes. */
  onErr(text: string): void;
}

interface Called {
  code: number;
  out: string;
  err: string;
}

export async function openStand(url: string, parent = tmpdir()): Promise<Stand> {
  const home = await mkdtemp(join(parent, 'capstan-cli-'));
  const call: Stand['call'] = async (args, { env = {}, stdin = '', tty = false, ...more } = {}) => {
    const [out, err]: [string[], string[]] = [[], []];
    const code = await run(args, {
      env: { CAPSTAN_URL: url, ...env },
      cwd: home,
      home,
      platform: more.platform ?? 'linux',
      program: ['/usr/bin/node', '/opt/capstan/main.js'],
      local: more.local ?? {},
      signal: more.signal ?? new AbortController().signal,
      stdin: Object.assign(piped(stdin), { isTTY: tty }),
      stdout: { write: (text) => out.push(text), isTTY: tty },
      stderr: {
        write: (text) => {
          more.onErr?.(text);
          return err.push(text);
        },
        isTTY: tty,
      },
      fetch: more.fetch ?? ((address, init) => fetch(address, init)),
      openBrowser: more.openBrowser ?? (async () => false),
    });
    return { code, out: out.join(''), err: err.join('') };
  };
  return {
    home,
    cwd: home,
    call,
    async json<T>(...args: string[]) {
      const { code, out, err } = await call(args);
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${err}`);
      return JSON.parse(out) as T;
    },
    async write(file, text) {
      await writeFile(join(home, file), text);
      return join(home, file);
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

async function* piped(text: string): AsyncGenerator<string> {
  if (text !== '') yield text;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The real program in a separate process, as an operator starts it: with the flags of `npm start`. */

/** Of this version of the program. */
export const ROOT = new URL('../../', import.meta.url).pathname;

/** `<flags> src/app/main.ts` of `npm start`. */
function commandIn(root: string): string[] {
  const { start } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts as { start: string };
  return start.split(' ').slice(1, -1);
}

export const freshDir = (): Promise<string> => mkdtemp(join(tmpdir(), 'capstan-process-'));

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Capstand {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Resolves with the address once the program says that it is ready; rejects where it ends before. */
  url(): Promise<string>;
}

/** `root` is that of another version of the program; this one's where left out. */
export function capstand(args: string[], env: Record<string, string>, root = ROOT): Capstand {
  const child = spawn(process.execPath, [...commandIn(root), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', PORT: '0', CAPSTAN_PROVIDERS: 'off', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr })),
  );
  const ready = Promise.withResolvers<string>();
  ready.promise.catch(() => {});
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
    const url = /"url":"([^"]+)"/.exec(stderr)?.[1];
    if (url !== undefined) ready.resolve(url);
  });
  void ended.then(() => ready.reject(new Error(`capstand ended: ${stderr}`)));
  return { child, ended, url: () => ready.promise };
}

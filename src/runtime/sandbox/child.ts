import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { ChildCommand } from './command-line.ts';

/** One locked-down process: its own group, an empty environment, another user where the server is root (`other-user.ts`). */
export interface Child {
  /** Undefined if it could not be started. */
  pid: number | undefined;
  /** Lines of the child's frame channel. */
  frames: Readable;
  send(line: string): void;
  /** Ends the whole group at once. May be called at any time, and twice. */
  kill(): void;
  /** Resolves when the process and its channels are gone; never rejects. */
  gone: Promise<ChildEnd>;
}

export interface ChildEnd {
  code: number | null;
  signal: string | null;
  /** What the engine itself wrote (never the script), first 16 KiB, or why the process did not start. */
  complaint: string;
}

const COMPLAINT_BYTES = 16_384;

export function startChild({ file, args, cwd, user }: ChildCommand): Child {
  const child = spawn(file, args, {
    env: {},
    cwd,
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    ...user,
  });
  const stdin = child.stdin as Writable;
  // A child that ends before it has read its request is reported by its exit, not by the broken pipe.
  stdin.on('error', () => {});
  const frames = child.stdio[3] as Readable;
  frames.on('error', () => {});
  return {
    pid: child.pid,
    frames,
    send: (line) => stdin.write(line),
    kill: () => killGroup(child),
    gone: endOf(child),
  };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || hasEnded(child)) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

function endOf(child: ChildProcess): Promise<ChildEnd> {
  let complaint = '';
  for (const stream of [child.stdout, child.stderr] as Readable[]) {
    stream.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString('latin1')).slice(0, COMPLAINT_BYTES);
      // More is not read: a child that keeps writing blocks until it is ended, at no cost for the server.
      if (complaint.length === COMPLAINT_BYTES && !hasEnded(child)) stream.pause();
    });
    child.once('exit', () => stream.resume());
  }
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, complaint: `cannot start: ${error.message}` });
    });
    child.once('close', (code, signal) => resolve({ code, signal, complaint }));
  });
}

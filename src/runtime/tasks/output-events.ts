import { StringDecoder } from 'node:string_decoder';
import type { PackageStep } from '#core/mcp/packaged-servers.ts';
import type { OutputStream } from '#runtime/sandbox/sandbox.ts';
import type { TaskEvent } from './task-events.ts';

/** Collects the console output of a run and its preparation steps into events. Small writes are merged, up to a limit. */
interface OutputEvents {
  add(stream: OutputStream, chunk: Uint8Array): void;
  /** A step of preparing a package: each new one, and how far it is once a second. */
  addStep(step: PackageStep): void;
  /** Writes the pending output and stops; later output is dropped. */
  close(): Promise<void>;
}

type Gathered = { stream: OutputStream; text: string } | PackageStep;

const EVERY_MS = 200;
const MOST_CHARS = 256 * 1024;
const STEP_EVERY_MS = 1_000;

export function gatherOutput(write: (events: TaskEvent[]) => Promise<void>): OutputEvents {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  let gathered: Gathered[] = [];
  let lastStep: { name: string; at_ms: number } | null = null;
  let left = MOST_CHARS;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const events = gathered.map((data): TaskEvent => {
      return 'step' in data ? { type: 'step', data: { ...data } } : { type: 'output', data: { ...data } };
    });
    gathered = [];
    // Written one after the other to keep the order. A failed write must not end the run.
    if (events.length > 0) writing = writing.then(() => write(events)).catch(() => {});
    return writing;
  };

  return {
    add: (stream, chunk) => {
      if (closed || left === 0) return;
      const text = decoders[stream].write(Buffer.from(chunk)).slice(0, left);
      if (text === '') return;
      left -= text.length;
      const last = gathered.at(-1);
      if (last !== undefined && 'text' in last && last.stream === stream) last.text += text;
      else gathered.push({ stream, text });
      if (left === 0) gathered.push({ stream, text: '\n… more output follows, which is not shown here\n' });
      timer ??= setTimeout(flush, EVERY_MS);
    },
    addStep: (step) => {
      const nowMs = performance.now();
      const isNew = lastStep?.name !== step.step;
      if (closed || (!isNew && nowMs - (lastStep?.at_ms ?? 0) < STEP_EVERY_MS)) return;
      lastStep = { name: step.step, at_ms: nowMs };
      gathered.push(step);
      timer ??= setTimeout(flush, EVERY_MS);
    },
    close: async () => {
      closed = true;
      await flush();
    },
  };
}

import { constants } from 'node:os';
import type { BoxEnd, BoxEndReason, BoxLimits } from './box.ts';
import { cpuMessage, memoryMessage } from './watch.ts';

/** Derives how a box ended from exit code, signal and messages. Pure. */
interface Signs {
  /** Why the server ended the box, if it did. */
  stopped: { reason: BoxEndReason; message: string } | null;
  /** Whether the program was about to run. */
  started: boolean;
  /** The exit code that bubblewrap reported; null without one. */
  exit_code: number | null;
  /** Standard error before the program started. */
  complaint: string;
  /** Whether the kernel killed a process of the box because of its memory usage. */
  out_of_memory: boolean;
  limits: BoxLimits;
}

const MAX_COMPLAINT_CHARS = 500;

export function endOf({ stopped, started, exit_code, complaint, out_of_memory, limits }: Signs): BoxEnd {
  if (stopped !== null) return { code: null, signal: null, reason: stopped.reason, message: stopped.message };
  if (!started) return { code: null, signal: null, reason: 'failed_to_start', message: failed(complaint) };
  const { code, signal } = decode(exit_code);
  if (out_of_memory) return { code, signal, reason: 'out_of_memory', message: memoryMessage(limits.memory_bytes) };
  if (signal === 'SIGXCPU' && limits.cpu_ms !== null)
    return { code, signal, reason: 'cpu', message: cpuMessage(limits.cpu_ms) };
  if (signal === 'SIGXFSZ')
    return {
      code,
      signal,
      reason: 'disk',
      message: `The program wrote a file of more than ${limits.file_bytes} bytes.`,
    };
  if (signal !== null) return { code, signal, reason: 'exited', message: `The program was killed by ${signal}.` };
  if (code === null) return { code, signal, reason: 'killed', message: 'The box was killed from outside the service.' };
  return { code, signal, reason: 'exited', message: `The program exited with code ${code}.` };
}

/** Bubblewrap reports a signal as a shell does: 128 plus its number. */
function decode(exitCode: number | null): { code: number | null; signal: string | null } {
  const found = Object.entries(constants.signals).find(([, number]) => number + 128 === exitCode);
  return found === undefined ? { code: exitCode, signal: null } : { code: null, signal: found[0] };
}

function failed(complaint: string): string {
  const said = complaint.trim().split('\n').slice(0, 3).join(' ').slice(0, MAX_COMPLAINT_CHARS);
  return `The box could not be started: ${said || 'no reason was given'}.`.replace(/\.\.$/, '.');
}

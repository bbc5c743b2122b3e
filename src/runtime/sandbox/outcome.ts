import type { ChildEnd } from './child.ts';
import type { SandboxStatus } from './sandbox.ts';

/** Derives the outcome of a run from its exit and output. Pure. */
export interface Signs {
  /** Why the server ended the child, if it did. */
  stopped: SandboxStatus | null;
  exit_code: number | null;
  stderr: string;
  end: ChildEnd;
}

const HEAP_FULL = /heap out of memory|Allocation failed|invalid array length Allocation/i;
const OUTPUT_FULL = /: (?:total )?output size (?:limit )?exceeded \(>?\d+ bytes\)/;
/** The last line of a script that an interpreter has stopped for want of memory: Python, QuickJS, just-bash. */
const MEMORY_FULL =
  /^MemoryError\b|: out of memory$|(?:string length|array element|heredoc size|live byte|input byte|file ?system)[^:]{0,200} (?:limit )?exceeded/i;

/** Python could not even print the error (or that of the system, which it met first), or the text that tells it. */
const PYTHON_LOST =
  /^object type name: (?:MemoryError|OSError)\nobject repr {5}: .*(?:Fatal Python error|\nlost sys\.stderr$)/m;

/** As much of it as an interpreter's own message takes: the text is the script's, and may be made to be slow to search. */
const LAST_LINE_CHARS = 500;

function lastLine(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.slice(trimmed.lastIndexOf('\n') + 1).slice(0, LAST_LINE_CHARS);
}

export function statusOf({ stopped, exit_code, stderr, end }: Signs): SandboxStatus {
  if (stopped !== null) return stopped;
  if (exit_code === null) return HEAP_FULL.test(end.complaint) ? 'memory_exceeded' : 'failed';
  if (exit_code === 0) return 'completed';
  const line = lastLine(stderr);
  if (OUTPUT_FULL.test(line)) return 'output_exceeded';
  const memory = MEMORY_FULL.test(line) || HEAP_FULL.test(line) || PYTHON_LOST.test(stderr.slice(-4_096));
  return memory ? 'memory_exceeded' : 'failed';
}

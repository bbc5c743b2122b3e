import type { Readable } from 'node:stream';
import { type ByteList, byteList } from '#core/byte-list.ts';
import { isPlainPath } from './plain-path.ts';
import type { ChildFrame } from './runner.ts';
import type { OutputStream } from './sandbox.ts';

/** The output of the child so far. It may be hostile: sizes are checked again, and an invalid frame ends it. */
interface Collected {
  stdout: ByteList;
  stderr: ByteList;
  files: Map<string, Uint8Array>;
  files_left_out: number;
  exit_code: number | null;
  /** When the script began, by `performance.now()`. */
  ready_at_ms: number | null;
}

interface CollectOptions {
  output_bytes: number;
  on_output?: ((stream: OutputStream, chunk: Uint8Array) => void) | undefined;
  /** Called once output or files pass `output_bytes`; nothing more is kept then. */
  on_exceeded: () => void;
  /** Called at the first frame that is not one. */
  on_garbage: () => void;
}

/** However small they are: names and entries take memory too. */
export const MAX_OUTPUT_FILES = 1_000;

export function collect(frames: Readable, options: CollectOptions): Collected {
  const collected: Collected = {
    stdout: byteList(),
    stderr: byteList(),
    files: new Map(),
    files_left_out: 0,
    exit_code: null,
    ready_at_ms: null,
  };
  const room = { output: options.output_bytes, files: options.output_bytes };
  // Base64 is a third longer than its bytes; the rest is for the frame around them.
  const longestLine = options.output_bytes * 1.4 + 65_536;
  /** The beginning of a line that is not whole yet. */
  let pending: ByteList | null = null;
  let pendingBytes = 0;
  let closed = false;
  const stop = (tell: () => void) => {
    closed = true;
    pending = null;
    tell();
  };
  const take = (line: string) => {
    const frame = parseFrame(line);
    if (frame === undefined || isOutOfTurn(frame, collected)) stop(options.on_garbage);
    else if (!keep(collected, room, frame, options.on_output)) stop(options.on_exceeded);
  };
  frames.on('data', (chunk: Buffer) => {
    for (let at = 0; !closed && at < chunk.length; ) {
      const lineEnd = chunk.indexOf(0x0a, at);
      const piece = chunk.subarray(at, lineEnd === -1 ? chunk.length : lineEnd);
      at += piece.length + 1;
      pendingBytes += piece.length;
      if (pendingBytes > longestLine) return stop(options.on_exceeded);
      if (lineEnd === -1) pending ??= byteList();
      pending?.push(piece);
      if (lineEnd === -1) continue;
      const line = (pending ?? piece).toString();
      pending = null;
      pendingBytes = 0;
      take(line);
    }
  });
  return collected;
}

function isOutOfTurn({ type }: ChildFrame, collected: Collected): boolean {
  if (collected.exit_code !== null) return true;
  if (type === 'ready') return collected.ready_at_ms !== null || collected.files_left_out > 0;
  return collected.files_left_out > 0 && type !== 'end';
}

/** False if the frame exceeds the limit; as much output as possible is kept. */
function keep(
  into: Collected,
  room: { output: number; files: number },
  frame: ChildFrame,
  onOutput: CollectOptions['on_output'],
): boolean {
  if (frame.type === 'ready') into.ready_at_ms = performance.now();
  if (frame.type === 'end') into.exit_code = frame.exit_code;
  if (frame.type === 'files_left_out') into.files_left_out = frame.count;
  if (frame.type === 'file') {
    const bytes = Buffer.from(frame.data, 'base64');
    room.files -= bytes.length;
    if (room.files < 0 || into.files.size >= MAX_OUTPUT_FILES) return false;
    into.files.set(frame.path, bytes);
  }
  if (frame.type === 'output') {
    const bytes = Buffer.from(frame.data, 'base64').subarray(0, room.output + 1);
    const kept = bytes.subarray(0, room.output);
    into[frame.stream].push(kept);
    // A frame of nothing costs as well, or they could go on for ever.
    room.output -= Math.max(1, bytes.length);
    if (kept.length > 0) onOutput?.(frame.stream, kept);
    return room.output >= 0;
  }
  return true;
}

function parseFrame(line: string): ChildFrame | undefined {
  try {
    const frame = JSON.parse(line) as Record<string, unknown> | null;
    return frame !== null && isFrame(frame) ? (frame as unknown as ChildFrame) : undefined;
  } catch {
    return undefined;
  }
}

function isFrame(frame: Record<string, unknown>): boolean {
  switch (frame.type) {
    case 'ready':
      return true;
    case 'output':
      return (frame.stream === 'stdout' || frame.stream === 'stderr') && typeof frame.data === 'string';
    case 'file':
      return typeof frame.path === 'string' && typeof frame.data === 'string' && isPlainPath(frame.path);
    case 'files_left_out':
      return Number.isSafeInteger(frame.count) && Number(frame.count) > 0;
    case 'end':
      return typeof frame.exit_code === 'number' && (frame.exit_code & 0xff) === frame.exit_code;
    default:
      return false;
  }
}

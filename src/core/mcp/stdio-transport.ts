import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type ByteList, byteList } from '#core/byte-list.ts';
import { jsonExcess } from '#core/http/body-bounds.ts';

/** MCP over the standard input and output of a process that the caller has started. */

export interface StdioStreams {
  stdin: Writable;
  stdout: Readable;
  /** Ends the process at once. */
  kill(): void;
  /** Resolves when the process is gone; never rejects. */
  gone: Promise<unknown>;
}

export interface StdioLimits {
  /** Maximum length of a message, in bytes of its line. */
  max_line_bytes: number;
  /** Maximum number of members of all objects of a message. */
  max_fields: number;
  /** Maximum number of lines that are not JSON-RPC messages: servers print banners, hostile ones print forever. */
  max_garbage_lines: number;
  /** Maximum output of the process over its lifetime. */
  max_bytes: number;
}

export const STDIO_LIMITS: StdioLimits = {
  max_line_bytes: 4 * 1_048_576,
  // A real server with 198 tools exceeds 10,000. Parsing and checking 30,000 holds the event loop for about 30 ms.
  max_fields: 30_000,
  max_garbage_lines: 1_000,
  max_bytes: 256 * 1_048_576,
};

/** Why the server was cut off. The message is one sentence without its full stop. */
export class StdioViolation extends Error {
  override name = 'StdioViolation';
}

/** How long the server may take to exit after its input has ended. */
const GOODBYE_MS = 2_000;
/** How long what a server wrote may take to arrive after the server has ended. */
const LAST_WORDS_MS = 1_000;
/** How long a process that is killed may take to end; some are only known to have ended when their output is read. */
const END_MS = 200;
const NEWLINE = 0x0a;

/** So many messages, or so long, without a pause. A flood of notifications is slow to handle, and each is within its limits. */
const MOST_AT_ONCE = 32;
const LONGEST_WORK_MS = 2;
/** Messages in chunks that are each within these limits, without a pause between them. */
const MOST_IN_A_ROW = 128;
/** A server that was silent for so long begins a new row. */
const ROW_ENDS_MS = 100;
/** Pauses are so many times as long as the work before them, so that one server takes at most a quarter of the event loop. */
const REST = 3;
/** What a server may use of that; it regains it slowly, and with nothing left it takes a twenty-fifth of the event loop. */
const CREDIT_MS = 200;
const REGAINED_PER_MS = 0.04;
const REST_WITHOUT_CREDIT = 24;
const LONGEST_REST_MS = 1_000;

/**
 * A transport of the MCP client. One JSON-RPC message per line, as the protocol defines. The process is started once:
 * closing the transport ends it, and a server that exceeds a limit is killed. Reading is linear in what the server
 * writes: a message that is too complex is not parsed, because nested or named values cost far more time than their
 * bytes.
 */
export function stdioTransport(
  streams: StdioStreams,
  limits: StdioLimits = STDIO_LIMITS,
  onViolation: (violation: StdioViolation) => void = () => {},
): Transport {
  const { stdin, stdout, kill, gone } = streams;
  let closed = false;
  let bytes = 0;
  let garbage = 0;
  /** A line that has not ended yet; null if the next chunk begins one. */
  let pending: ByteList | null = null;
  let lineBytes = 0;
  let isResting = false;
  let inRow = 0;
  let readAtMs = 0;
  let creditMs = CREDIT_MS;
  let creditAtMs = performance.now();
  /** Chunks that arrive during a pause: Node resumes the stream when the process ends. */
  const waiting: Buffer[] = [];
  let isGone = false;
  let isLate = false;

  const transport: Transport = {
    start: async () => {
      stdin.on('error', () => {});
      stdout.on('error', (error) => transport.onerror?.(error));
      stdout.on('data', take);
      for (const event of ['end', 'close']) stdout.once(event, endIfGone);
      void gone.then(() => {
        isGone = true;
        endIfGone();
        // A stream that stays open has nothing more to say.
        setTimeout(endAtLast, LAST_WORDS_MS).unref();
      });
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        if (closed || !stdin.writable) return reject(new StdioViolation('the server has ended'));
        stdin.write(`${JSON.stringify(message)}\n`, (error) => (error == null ? resolve() : reject(error)));
      }),
    close: async () => {
      if (closed) return;
      stdin.end();
      const timer = setTimeout(kill, GOODBYE_MS);
      await gone;
      clearTimeout(timer);
      ended();
    },
  };
  return transport;

  function take(chunk: Buffer): void {
    bytes += chunk.length;
    if (bytes > limits.max_bytes) {
      cutOff(`the server wrote more than ${limits.max_bytes} bytes`);
      return;
    }
    if (isResting) waiting.push(chunk);
    else read(chunk, 0);
    endIfGone();
  }

  /** The messages of a chunk from an offset on; after many of them the rest later. */
  function read(chunk: Buffer, from: number): void {
    const beganMs = performance.now();
    if (beganMs - readAtMs > ROW_ENDS_MS) inRow = 0;
    let at = from;
    for (let messages = 0; at < chunk.length && !closed; messages++) {
      if (messages === MOST_AT_ONCE || performance.now() - beganMs > LONGEST_WORK_MS) break;
      at = readLine(chunk, at);
      inRow += 1;
    }
    readAtMs = performance.now();
    if (closed) return;
    if (at < chunk.length || readAtMs - beganMs > LONGEST_WORK_MS || inRow > MOST_IN_A_ROW) rest(chunk, at, beganMs);
  }

  /** Where the next line begins. */
  function readLine(chunk: Buffer, at: number): number {
    const end = chunk.indexOf(NEWLINE, at);
    const piece = chunk.subarray(at, end === -1 ? chunk.length : end);
    const next = at + piece.length + 1;
    lineBytes += piece.length;
    if (lineBytes > limits.max_line_bytes) {
      cutOff(`the server wrote a message of more than ${limits.max_line_bytes} bytes`);
      return next;
    }
    if (end === -1) pending ??= byteList();
    pending?.push(piece);
    if (end === -1) return next;
    const line = (pending ?? piece).toString();
    pending = null;
    lineBytes = 0;
    receive(line);
    return next;
  }

  function rest(chunk: Buffer, at: number, beganMs: number): void {
    isResting = true;
    inRow = 0;
    stdout.pause();
    // The client handles messages in microtasks, which have run by then.
    setImmediate(() => setTimeout(goOn, restAfter(performance.now() - beganMs), chunk, at));
  }

  function restAfter(workMs: number): number {
    const nowMs = performance.now();
    creditMs = Math.min(CREDIT_MS, creditMs + (nowMs - creditAtMs) * REGAINED_PER_MS) - workMs;
    creditAtMs = nowMs;
    const rest = creditMs > 0 ? REST : REST_WITHOUT_CREDIT;
    creditMs = Math.max(0, creditMs);
    return Math.min(rest * workMs, LONGEST_REST_MS);
  }

  function goOn(chunk: Buffer, at: number): void {
    isResting = false;
    if (closed) return;
    read(chunk, at);
    while (!isResting && waiting.length > 0) read(waiting.shift() as Buffer, 0);
    if (!isResting) stdout.resume();
    endIfGone();
  }

  function receive(line: string): void {
    if (line.trim() === '') return;
    const excess = jsonExcess(line, limits.max_fields);
    if (excess !== null) {
      cutOff(`the server wrote a message that ${excess}`);
      return;
    }
    const message = messageOf(line);
    if (message !== null) transport.onmessage?.(message);
    else garbage += 1;
    if (garbage > limits.max_garbage_lines) cutOff('the server writes lines that are not MCP messages');
  }

  function cutOff(reason: string): void {
    stdout.off('data', take);
    // What it still writes until its end is not read, because a flood comes as fast as it is read.
    stdout.pause();
    kill();
    const timer = setTimeout(drain, END_MS);
    void gone.then(() => {
      clearTimeout(timer);
      drain();
    });
    const violation = new StdioViolation(reason);
    onViolation(violation);
    transport.onerror?.(violation);
    ended();
  }

  /** The stream is closed only when it has been read. */
  function drain(): void {
    stdout.resume();
  }

  /** What the server wrote before it ended is read first. */
  function endIfGone(): void {
    if (isGone && !isResting && (isLate || stdout.destroyed || stdout.readableEnded)) ended();
  }

  function endAtLast(): void {
    isLate = true;
    endIfGone();
  }

  function ended(): void {
    if (closed) return;
    closed = true;
    transport.onclose?.();
  }
}

function messageOf(line: string): JSONRPCMessage | null {
  try {
    const value = JSON.parse(line) as Record<string, unknown> | null;
    const isMessage = typeof value === 'object' && value !== null && value.jsonrpc === '2.0';
    return isMessage && isShape(value) ? (value as unknown as JSONRPCMessage) : null;
  } catch {
    return null;
  }
}

/** A request, a notification or a response; the client checks the rest. */
const isShape = (value: Record<string, unknown>): boolean =>
  typeof value.method === 'string' || (value.id !== undefined && ('result' in value || 'error' in value));

import { endOf } from '#core/end.ts';
import type { ProblemBody } from '#core/http/problem-body.ts';
import type { McpProgress } from '#core/mcp/session.ts';

/** A call as server-sent events: `progress` from the server, then one `result` or `error`. */

/** Proxies cut idle connections. */
const KEEP_ALIVE_MS = 15_000;
/** A server may send faster than a client reads; only the newest are kept. */
const MOST_WAITING = 100;

export async function* eventsOf(
  signal: AbortSignal,
  act: (on_progress: (progress: McpProgress) => void, signal: AbortSignal) => Promise<unknown>,
  bodyOf: (error: unknown) => ProblemBody,
): AsyncGenerator<string> {
  const gone = endOf({ with: [signal] });
  const waiting: string[] = [];
  let wake = () => {};
  const say = (event: string, data: unknown) => {
    if (waiting.length >= MOST_WAITING) waiting.shift();
    waiting.push(frame(event, data));
    wake();
  };
  let has_ended = false;
  const acting = act(({ progress, total, message }) => say('progress', { progress, total, message }), gone.signal)
    .then(
      (result) => say('result', result),
      (error) => say('error', bodyOf(error)),
    )
    .finally(() => {
      has_ended = true;
      wake();
    });
  try {
    // Sent immediately, so that the client knows the stream is open.
    yield ': called\n\n';
    while (!signal.aborted) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (has_ended) return;
      else if (!(await soon((done) => (wake = done)))) yield ': still here\n\n';
    }
  } finally {
    // Also if the client disconnected.
    gone.now(new Error('client disconnected'));
    gone.release();
    await acting;
  }
}

/** Returns false if nothing arrived for a while. */
async function soon(listen: (done: () => void) => void): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const came = new Promise<boolean>((resolve) => {
    listen(() => resolve(true));
    timer = setTimeout(() => resolve(false), KEEP_ALIVE_MS);
  });
  return came.finally(() => clearTimeout(timer));
}

const frame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

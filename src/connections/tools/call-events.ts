import { endOf } from '#core/end.ts';
import type { ProblemBody } from '#core/http/problem-body.ts';
import type { McpProgress } from '#core/mcp/session.ts';

/** A call as server-sent events: `progress` as the server tells it, then one `result` or `error`. */

/** Proxies cut connections on which nothing is said. */
const KEEP_ALIVE_MS = 15_000;
/** A server may tell faster than a client reads; only the newest are kept. */
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
    // Something at once, so that the client knows the stream stands.
    yield ': called\n\n';
    while (!signal.aborted) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (has_ended) return;
      else if (!(await soon((done) => (wake = done)))) yield ': still here\n\n';
    }
  } finally {
    // Also where the client went away in the middle.
    gone.now(new Error('client disconnected'));
    gone.release();
    await acting;
  }
}

/** False where nothing came for a while. */
async function soon(listen: (done: () => void) => void): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const came = new Promise<boolean>((resolve) => {
    listen(() => resolve(true));
    timer = setTimeout(() => resolve(false), KEEP_ALIVE_MS);
  });
  return came.finally(() => clearTimeout(timer));
}

const frame = (event: string, data: unknown): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

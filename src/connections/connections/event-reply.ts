import { endOf } from '#core/end.ts';
import { coreProblem } from '#core/errors.ts';
import { preferredType } from '#core/http/accept.ts';
import { EVENT_STREAM, type Input, json, type Reply } from '#core/http/operation.ts';
import { type ProblemBody, problemBody } from '#core/http/problem-body.ts';
import type { Log } from '#core/log.ts';
import { Problem } from '#core/problem/problem.ts';

/** Answers long work as JSON, or as server-sent events: `progress`, `step` and `question`, then one `result` or `error`. */

/** Sends an event: `progress` and `question` come from the server, `step` from preparing its package. */
export type Tell = (event: 'progress' | 'step' | 'question', data: unknown) => void;

/** The client's `Accept` header chooses the form. The work is cancelled if the client disconnects. */
export async function jsonOrEvents(
  { headers, signal, request_id }: Pick<Input, 'headers' | 'signal' | 'request_id'>,
  { log, status = 200 }: { log: Log; status?: number },
  act: (tell: Tell, signal: AbortSignal, isHeard: boolean) => Promise<unknown>,
): Promise<Reply> {
  const accepts = preferredType(headers.accept as string | undefined, ['application/json', EVENT_STREAM]);
  if (accepts !== EVENT_STREAM) return json(await act(() => {}, signal, false), { status });
  const bodyOf = (error: unknown) => problemBody(explained(log, error), request_id);
  const body = eventsOf(signal, (tell, ended) => act(tell, ended, true), bodyOf);
  return { status, media_type: EVENT_STREAM, body, headers: { 'x-accel-buffering': 'no' } };
}

/** A throw that is no Problem is a bug, and there is no boundary behind a stream. */
function explained(log: Log, error: unknown): Problem {
  if (error instanceof Problem) return error;
  log.error({ err: error }, 'work behind an event stream failed');
  return coreProblem('http.internal', 'Internal error.');
}

/** Proxies cut connections on which nothing is said. */
const KEEP_ALIVE_MS = 15_000;
/** A server may tell faster than a client reads; only the newest are kept. */
const MOST_WAITING = 100;

async function* eventsOf(
  signal: AbortSignal,
  act: (tell: Tell, signal: AbortSignal) => Promise<unknown>,
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
  let hasEnded = false;
  const acting = act(say, gone.signal)
    .then(
      (result) => say('result', result),
      (error) => say('error', bodyOf(error)),
    )
    .finally(() => {
      hasEnded = true;
      wake();
    });
  try {
    // Something at once, so that the client knows the stream stands.
    yield ': called\n\n';
    while (!signal.aborted) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (hasEnded) return;
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

import type { Caller } from '#core/http/caller.ts';
import { type Agent, runTurn, type TurnOrder, type TurnResult } from './run-turn.ts';
import type { TurnEvent } from './turn.ts';

/** A turn as server-sent events. Unless it is kept, it ends when the client disconnects. */

/** Proxies cut idle connections. */
const KEEP_ALIVE_MS = 15_000;

export async function* tellTurn(
  agent: Agent,
  caller: Caller,
  order: TurnOrder,
  is_kept: boolean,
): AsyncGenerator<string> {
  const gone = new AbortController();
  const queue: string[] = [];
  let wake = () => {};
  const say = (text: string): void => {
    // Of a turn that is kept, nobody reads the rest.
    if (gone.signal.aborted) return;
    queue.push(text);
    wake();
  };
  const signal = is_kept ? order.signal : AbortSignal.any([order.signal, gone.signal]);
  const ended = runTurn(agent, caller, { ...order, signal, heard_until: gone.signal }, (event) => {
    if (event.type !== 'done') say(frame(event));
  }).then(lastFrame);
  let last: string | null = null;
  let failure: { error: unknown } | null = null;
  ended.then(
    (text) => {
      last = text;
      wake();
    },
    (error) => {
      failure = { error };
      wake();
    },
  );
  try {
    for (;;) {
      const text = queue.shift();
      if (text !== undefined) yield text;
      else if (failure !== null) throw (failure as { error: unknown }).error;
      else if (last !== null) return yield last;
      else if (
        !(await next((resume) => {
          wake = resume;
        }))
      )
        yield ': still here\n\n';
    }
  } finally {
    gone.abort();
  }
}

/** Returns false if there was nothing to send for a while. */
const next = (on: (wake: () => void) => void): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), KEEP_ALIVE_MS);
    on(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });

function lastFrame({ turn, problem }: TurnResult): string {
  if (problem === null) return frame({ type: 'done', turn });
  const { code, status, message } = problem;
  return `event: error\ndata: ${JSON.stringify({ code, status, detail: message, turn })}\n\n`;
}

function frame(event: TurnEvent): string {
  const { type, ...rest } = event;
  const data = event.type === 'done' ? event.turn : rest;
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Sends responses one by one as server-sent events. */

/** Proxies cut idle connections. */
const KEEP_ALIVE_MS = 15_000;

export async function* events(first: IteratorResult<unknown>, rest: AsyncGenerator<unknown>): AsyncGenerator<string> {
  try {
    for (let next = first; next.done !== true; ) {
      yield `data: ${JSON.stringify(next.value)}\n\n`;
      const coming = rest.next();
      // The rejection is handled where the promise is awaited.
      coming.catch(() => {});
      for (let came: IteratorResult<unknown> | null = null; ; ) {
        const quiet = new AbortController();
        const pause = sleep(KEEP_ALIVE_MS, null, { signal: quiet.signal, ref: false }).catch(() => null);
        came = await Promise.race([coming, pause]);
        quiet.abort();
        if (came !== null) {
          next = came;
          break;
        }
        yield ': still here\n\n';
      }
    }
  } finally {
    await rest.return(undefined);
  }
}

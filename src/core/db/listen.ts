import { setTimeout as sleep } from 'node:timers/promises';
import { withPlainSslMode } from './ssl-mode.ts';

/** A separate connection that listens on a PostgreSQL channel and reconnects when it is lost. */

interface Listener {
  close(): Promise<void>;
}

interface ListenHandlers {
  heard(): void;
  /** Called when the connection ends or cannot be made: notifications may be missed until one is heard again. */
  lost(): void;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
const KEEP_ALIVE_MS = 10_000;

/** `channel` is an SQL identifier. */
export function listen(url: string, channel: string, { heard, lost }: ListenHandlers): Listener {
  const closing = new AbortController();
  const hold = async (): Promise<void> => {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      if (await holdOnce(url, channel, { heard, closing: closing.signal })) failures = 0;
      lost();
      const waitMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
      await sleep(waitMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  };
  const held = hold();
  return {
    close: async () => {
      closing.abort();
      await held;
    },
  };
}

/** Until the connection ends. Answers whether there was one. */
async function holdOnce(
  url: string,
  channel: string,
  { heard, closing }: { heard(): void; closing: AbortSignal },
): Promise<boolean> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: withPlainSslMode(url),
    application_name: 'capstan',
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  client.on('error', () => {});
  client.on('notification', heard);
  const end = () => void client.end().catch(() => {});
  try {
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    if (closing.aborted) end();
    closing.addEventListener('abort', end, { once: true });
    await ended;
    return true;
  } catch {
    end();
    return false;
  } finally {
    closing.removeEventListener('abort', end);
  }
}

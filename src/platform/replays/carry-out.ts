import { type Clock, isoTime } from '../clock.ts';
import type { KeyProvider } from '../crypto/secret-keys.ts';
import type { Database } from '../db/open.ts';
import type { Reply } from '../http/operation.ts';
import type { Log } from '../log.ts';
import { Problem, type ProblemKind } from '../problem.ts';
import { freeKey, type HeldKey, updateKey } from './held-keys.ts';
import { sealProblem, sealReply } from './kept-answer.ts';

/** Runs the request that holds the key, and keeps what it is answered with. */

export interface CarryOptions {
  database: Database;
  clock: Clock;
  log: Log;
  /** Seals the answers. */
  keys: KeyProvider;
  /** After so long without a sign of life, a request in flight is taken for dead and its key is free. */
  lease_ms: number;
}

/** Sealed, an answer takes a third more in the database. */
const MOST_BYTES = 262_144;
/** A stream that nobody reads to its end does not hold its key for ever. */
const LONGEST_MS = 900_000;

/**
 * Problems that the same request meets again whenever it is sent. All others may pass, as a conflict, a limit or a
 * failure does, and they changed nothing: they free the key.
 */
const FINAL: readonly ProblemKind[] = [
  'invalid_request',
  'gone',
  'too_large',
  'unsupported_media_type',
  'unprocessable',
];

export async function carryOut(options: CarryOptions, held: HeldKey, run: () => Promise<Reply>): Promise<Reply> {
  const lease = keepLease(options, held);
  const reply = await run().catch(async (error: unknown) => {
    if (error instanceof Problem && FINAL.includes(error.kind))
      await lease.end(error.status, () => sealProblem(options.keys, held, error));
    else await lease.free();
    throw error;
  });
  const { body, status = 200 } = reply;
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    return {
      ...reply,
      body: collected(body, lease, status, (whole) => sealReply(options.keys, held, { ...reply, body: whole })),
    };
  await lease.end(status, () =>
    Buffer.byteLength(body) > MOST_BYTES ? null : sealReply(options.keys, held, { ...reply, body }),
  );
  return reply;
}

interface KeptLease {
  /** Stores the answer; null where it is too large. */
  end(status: number, sealed: () => string | null): Promise<void>;
  free(): Promise<void>;
}

/**
 * Renews the lease while the request runs. Failures of the store are logged and not thrown: the request is carried out,
 * and its answer must reach the client.
 */
function keepLease({ database: { db }, clock, log, lease_ms }: CarryOptions, held: HeldKey): KeptLease {
  const guarded = (work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) =>
      log.error({ error, operation: held.operation }, 'an Idempotency-Key was not kept'),
    );
  const until = clock.now() + LONGEST_MS;
  const timer = setInterval(() => {
    if (clock.now() > until) clearInterval(timer);
    else void guarded(() => updateKey(db, held, { lease_until: isoTime(clock.now() + lease_ms) }));
  }, lease_ms / 3).unref();
  return {
    end(status, sealed) {
      clearInterval(timer);
      return guarded(async () => updateKey(db, held, { status, sealed_answer: sealed() }));
    },
    free() {
      clearInterval(timer);
      return guarded(() => freeKey(db, held));
    },
  };
}

/** Passes chunks on as they come and keeps the whole; a stream that breaks off, or that nobody read, frees the key. */
async function* collected(
  body: AsyncIterable<string | Uint8Array>,
  lease: KeptLease,
  status: number,
  seal: (whole: Uint8Array) => string,
): AsyncGenerator<string | Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let is_over = false;
  try {
    for await (const chunk of body) {
      const part = Buffer.from(chunk as string);
      bytes += part.byteLength;
      if (bytes <= MOST_BYTES) parts.push(part);
      yield chunk;
    }
    is_over = true;
  } finally {
    if (is_over) await lease.end(status, () => (bytes > MOST_BYTES ? null : seal(Buffer.concat(parts))));
    else await lease.free();
  }
}

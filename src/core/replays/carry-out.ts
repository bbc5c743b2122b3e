import { createHash } from 'node:crypto';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Database } from '#core/db/open.ts';
import type { Reply } from '#core/http/operation.ts';
import type { Log } from '#core/log.ts';
import { Problem, type ProblemKind } from '#core/problem/problem.ts';
import { freeKey, type HeldKey, updateKey } from './held-keys.ts';
import { sealDropped, sealProblem, sealReply, type Whole } from './kept-answer.ts';

/** Runs the request that holds the key and stores its response. */

export interface CarryOptions {
  database: Database;
  clock: Clock;
  log: Log;
  /** Encrypt the responses. */
  keys: KeyProvider;
  /** A running request without a heartbeat for this long is considered dead, and its key is released. */
  lease_ms: number;
  /** Returns how many bytes this owner's keys and responses use, and may use. Default: unlimited. */
  share?(owner: string): Promise<{ used_bytes: number; limit_bytes: number }>;
  /** Called for each response that is not stored because its owner's storage is full. */
  onDropped?(): void;
}

/** Of a response body. Encrypted, it takes a third more in the database. */
const MOST_BYTES = 65_536;
/** Responses may use this part of the owner's share; the rest is for keys without a response. */
const ANSWERS_SHARE = 0.5;
/** A stream that nobody reads to its end must not hold its key forever. */
const LONGEST_MS = 900_000;

/**
 * Problems that the same request would get again. All others may be temporary, such as conflicts, limits and failures,
 * and changed nothing, so they release the key.
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
  const sealed = (whole: string | Uint8Array) => sealWithin(options, held, { ...reply, body: whole });
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    return { ...reply, body: collected(body, lease, status, sealed, dropOf(options, held, reply)) };
  await lease.end(status, () => sealed(body));
  return reply;
}

/** Encrypts the response, or a summary if it is too large or the owner has no room. */
async function sealWithin(options: CarryOptions, held: HeldKey, reply: Whole): Promise<string> {
  const { body } = reply;
  const drop = () => dropOf(options, held, reply)(sha256(body));
  if (Buffer.byteLength(body) > MOST_BYTES) return drop();
  const sealed = sealReply(options.keys, held, reply);
  const share = await options.share?.(held.owner);
  if (share === undefined || share.used_bytes + sealed.length <= share.limit_bytes * ANSWERS_SHARE) return sealed;
  options.onDropped?.();
  return drop();
}

const dropOf =
  ({ keys }: CarryOptions, held: HeldKey, { status = 200, headers = {} }: Omit<Reply, 'body'>) =>
  (sha256: string): string =>
    sealDropped(keys, held, { status, location: headers.location ?? null, sha256 });

interface KeptLease {
  /** Stores the response. */
  end(status: number, sealed: () => string | Promise<string>): Promise<void>;
  free(): Promise<void>;
}

/**
 * Renews the lease while the request runs. Storage failures are logged and not thrown, because the response must reach
 * the client.
 */
function keepLease({ database: { db }, clock, log, lease_ms }: CarryOptions, held: HeldKey): KeptLease {
  const guarded = (work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) =>
      log.error({ error, operation: held.operation }, 'failed to persist idempotency record'),
    );
  const until = clock.now() + LONGEST_MS;
  const timer = setInterval(() => {
    if (clock.now() > until) clearInterval(timer);
    else void guarded(() => updateKey(db, held, { lease_until: isoTime(clock.now() + lease_ms) }));
  }, lease_ms / 3).unref();
  return {
    end(status, sealed) {
      clearInterval(timer);
      return guarded(async () => updateKey(db, held, { status, sealed_answer: await sealed() }));
    },
    free() {
      clearInterval(timer);
      return guarded(() => freeKey(db, held));
    },
  };
}

/** Passes chunks on and collects them. A stream that fails or is not read releases the key. */
async function* collected(
  body: AsyncIterable<string | Uint8Array>,
  lease: KeptLease,
  status: number,
  seal: (whole: Uint8Array) => Promise<string>,
  drop: (sha256: string) => string,
): AsyncGenerator<string | Uint8Array> {
  const parts: Uint8Array[] = [];
  const hash = createHash('sha256');
  let bytes = 0;
  let isOver = false;
  try {
    for await (const chunk of body) {
      const part = Buffer.from(chunk as string);
      bytes += part.byteLength;
      hash.update(part);
      if (bytes <= MOST_BYTES) parts.push(part);
      yield chunk;
    }
    isOver = true;
  } finally {
    if (isOver)
      await lease.end(status, () => (bytes > MOST_BYTES ? drop(hash.digest('hex')) : seal(Buffer.concat(parts))));
    else await lease.free();
  }
}

import { createHash } from 'node:crypto';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Database } from '#core/db/open.ts';
import type { Reply } from '#core/http/operation.ts';
import type { Log } from '#core/log.ts';
import { Problem, type ProblemKind } from '#core/problem/problem.ts';
import { freeKey, type HeldKey, updateKey } from './held-keys.ts';
import { sealDropped, sealProblem, sealReply, type Whole } from './kept-answer.ts';

/** Runs the request that holds the key, and keeps what it is answered with. */

export interface CarryOptions {
  database: Database;
  clock: Clock;
  log: Log;
  /** Seals the answers. */
  keys: KeyProvider;
  /** After so long without a sign of life, a request in flight is taken for dead and its key is free. */
  lease_ms: number;
  /** What keys and answers of this owner take in the database, and may take. Unlimited where left out. */
  share?(owner: string): Promise<{ used_bytes: number; limit_bytes: number }>;
  /** Told of each answer that is dropped because its owner has no room left. */
  onDropped?(): void;
}

/** Of an answer's body. Sealed, it takes a third more in the database. */
const MOST_BYTES = 65_536;
/** Answers take so much of an owner's share; the rest is for keys without one. */
const ANSWERS_SHARE = 0.5;
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
  const sealed = (whole: string | Uint8Array) => sealWithin(options, held, { ...reply, body: whole });
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    return { ...reply, body: collected(body, lease, status, sealed, dropOf(options, held, reply)) };
  await lease.end(status, () => sealed(body));
  return reply;
}

/** The answer; or, where it is too large or its owner has no room, what tells of it. */
async function sealWithin(options: CarryOptions, held: HeldKey, reply: Whole): Promise<string> {
  const { body } = reply;
  const drop = () => dropOf(options, held, reply)(createHash('sha256').update(body).digest('hex'));
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
  /** Stores the answer. */
  end(status: number, sealed: () => string | Promise<string>): Promise<void>;
  free(): Promise<void>;
}

/**
 * Renews the lease while the request runs. Failures of the store are logged and not thrown: the request is carried out,
 * and its answer must reach the client.
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

/** Passes chunks on as they come and keeps the whole; a stream that breaks off, or that nobody read, frees the key. */
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
  let is_over = false;
  try {
    for await (const chunk of body) {
      const part = Buffer.from(chunk as string);
      bytes += part.byteLength;
      hash.update(part);
      if (bytes <= MOST_BYTES) parts.push(part);
      yield chunk;
    }
    is_over = true;
  } finally {
    if (is_over)
      await lease.end(status, () => (bytes > MOST_BYTES ? drop(hash.digest('hex')) : seal(Buffer.concat(parts))));
    else await lease.free();
  }
}

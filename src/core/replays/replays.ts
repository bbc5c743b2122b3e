import { createHash } from 'node:crypto';
import { isoTime } from '#core/clock/clock.ts';
import { removeExpired } from '#core/db/remove-expired.ts';
import type { IdempotencyKeyRow } from '#core/db/schema-identity.ts';
import { coreProblem } from '#core/errors.ts';
import type { Replays } from '#core/http/gates.ts';
import type { Reply } from '#core/http/operation.ts';
import { newId } from '#core/ids.ts';
import type { Problem } from '#core/problem/problem.ts';
import { type CarryOptions, carryOut } from './carry-out.ts';
import { claimKey, findKey, type KeyPlace } from './held-keys.ts';
import { answerNotKept, unsealAnswer } from './kept-answer.ts';

/**
 * Implements the Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header-07): for one day, repetitions of a
 * request get the first response.
 */

export type ReplaysOptions = Omit<CarryOptions, 'lease_ms'> & { lease_ms?: number };

/** How long after the crash of its process a request is considered dead. */
const LEASE_MS = 20_000;
const KEPT_MS = 86_400_000;
/** Every 32nd request also deletes some old keys. */
const CLEAN_EVERY = 32;
const CLEAN_MOST = 128;
/** A key can be released between two reads, but hardly this often in a row. */
const LOOKS = 3;

export function createReplays(options: ReplaysOptions): Replays {
  const { database, clock, keys, lease_ms = LEASE_MS } = options;
  const { db } = database;
  let requests = 0;
  return {
    async once(request, run): Promise<Reply> {
      const place = { owner: request.owner, operation: request.operation, key: readKey(request.key) };
      const request_hash = createHash('sha256').update(request.content).digest('base64url');
      if (++requests % CLEAN_EVERY === 0) await removeExpired(database, 'idempotency_keys', clock.now(), CLEAN_MOST);
      // A replay uses no additional storage.
      const share = await options.share?.(request.owner);
      if (share !== undefined && share.used_bytes >= share.limit_bytes && (await findKey(db, place)) === undefined)
        throw tooManyKeys();
      for (let look = 0; look < LOOKS; look++) {
        const held = { ...place, holder: newId() };
        const now = clock.now();
        const times = { lease_until: isoTime(now + lease_ms), expires_at: isoTime(now + KEPT_MS) };
        if (await claimKey(db, { ...held, request_hash, created_at: isoTime(now), ...times }))
          return carryOut({ ...options, lease_ms }, held, run);
        const found = await findKey(db, place);
        if (found !== undefined) return storedReply(keys, found, request_hash);
      }
      throw inFlight();
    },
  };
}

/** Throws unless the request that used the key was this one and has been answered. */
function storedReply(keys: CarryOptions['keys'], found: IdempotencyKeyRow, requestHash: string): Reply {
  if (found.request_hash !== requestHash) throw reused(found);
  if (found.status === null) throw inFlight();
  if (found.sealed_answer === null) throw answerNotKept({ status: found.status });
  return unsealAnswer(keys, found, found.sealed_answer);
}

/** In quotes as in the draft, or without as most clients send it. */
function readKey(text: string): string {
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw coreProblem('http.invalid', 'Idempotency-Key must be 1 to 255 visible ASCII characters, such as a UUID.', {
    reason: 'idempotency_key',
  });
}

const reused = ({ key }: KeyPlace): Problem =>
  coreProblem(
    'http.idempotency_key_reused',
    `The Idempotency-Key ${key} was used for another request. Use a new key for this request.`,
  );

const inFlight = (): Problem =>
  coreProblem(
    'http.idempotency_conflict',
    'The first request with this Idempotency-Key is still in progress. Retry later.',
    { reason: 'in_flight', headers: { 'retry-after': '1' } },
  );

const tooManyKeys = (): Problem =>
  coreProblem(
    'http.limit_exceeded',
    'Idempotency-Key limit exceeded for the last 24 hours. Send the request without a key, or retry in an hour.',
    { reason: 'idempotency_keys', headers: { 'retry-after': '3600' } },
  );

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { coreProblem } from '#core/errors.ts';
import { createFairQueue, QueueBusy } from '#core/fair-queue/fair-queue.ts';
import type { Share } from '#core/fair-queue/share.ts';
import type { Problem } from '#core/problem/problem.ts';

/**
 * Passwords as argon2id strings: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`, m in KiB. Each string contains its
 * parameters, so they can be raised later: old hashes still verify and are reported as outdated.
 */
export interface Passwords {
  /** Both throw `http.unavailable` (`passwords`) if too many calls are queued, in total or for this share. */
  hash(password: string, share: Share): Promise<string>;
  /** `stored` is null for an unknown account: verification takes the same time and never matches. */
  verify(password: string, stored: string | null, share: Share): Promise<Verified>;
}

interface Verified {
  matches: boolean;
  /** True if new hashes use other parameters than the stored one. */
  outdated: boolean;
}

export interface Cost {
  /** KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}

/** One of the configurations that OWASP's Password Storage Cheat Sheet recommends for argon2id. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Concurrent hashes, of the four threads in libuv's pool; each uses 19 MiB. One core stays free for other work. */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Queued calls: less than two seconds of work. */
const MAX_WAITING = 64;
/** Enough for a company behind one address where everyone signs in at nine in the morning. */
const MAX_WAITING_PER_SHARE = 16;

interface PasswordOptions {
  cost?: Cost;
  at_once?: number;
  max_waiting?: number;
}

export function createPasswords({
  cost = COST,
  at_once = AT_ONCE,
  max_waiting = MAX_WAITING,
}: PasswordOptions = {}): Passwords {
  const queue = createFairQueue({
    places: at_once,
    waiting: max_waiting,
    waiting_per_share: Math.min(max_waiting, MAX_WAITING_PER_SHARE),
    // Callers are anonymous until they have signed in.
    held_by_guests: at_once,
  });
  // Runs off the main thread, a few at a time, so that a flood of sign-ins takes neither all memory nor all threads.
  const derive = async (password: string, nonce: Buffer, by: Cost, share: Share): Promise<Buffer> => {
    const message = Buffer.from(password);
    const work = () => argon2Async('argon2id', { message, nonce, tagLength: HASH_BYTES, ...by });
    return queue.run(share, work).catch((error) => {
      throw error instanceof QueueBusy ? busy() : error;
    });
  };
  const nobody = write(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  return {
    hash: async (password, share) => {
      const salt = randomBytes(SALT_BYTES);
      return write(cost, salt, await derive(password, salt, cost, share));
    },
    verify: async (password, stored, share) => {
      const { cost: by, salt, expected } = read(stored ?? nobody);
      const same = timingSafeEqual(await derive(password, salt, by, share), expected);
      return { matches: same && stored !== null, outdated: write(by, salt, expected) !== write(cost, salt, expected) };
    },
  };
}

const argon2Async = promisify(argon2);

const write = ({ memory, passes, parallelism }: Cost, salt: Buffer, bytes: Buffer): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(bytes)}`;

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/={1,2}$/, '');

const FORM = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{43})$/;

function read(stored: string): { cost: Cost; salt: Buffer; expected: Buffer } {
  const [, memory, passes, parallelism, salt = '', expected = ''] = FORM.exec(stored) ?? [];
  if (memory === undefined) throw new Error('malformed password hash in the database');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return { cost, salt: Buffer.from(salt, 'base64'), expected: Buffer.from(expected, 'base64') };
}

const busy = (): Problem =>
  coreProblem('http.unavailable', 'Too many password checks are queued. Retry in a few seconds.', {
    reason: 'passwords',
    headers: { 'retry-after': '5' },
  });

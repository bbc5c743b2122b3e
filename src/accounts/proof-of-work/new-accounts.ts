import type { Kysely } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Values } from '#core/config/config.ts';
import type { Schema } from '#core/db/schema.ts';
import { clientBucket } from '#core/limits/client-bucket.ts';
import type { OnRefused } from '#core/limits/limiter.ts';
import { refusalHeaders } from '#core/limits/rate-limit-headers.ts';
import { giveBackTo, type Level, type Limit, takeFrom } from '#core/limits/rate-windows.ts';
import { networkOf } from '#core/outbound/network-of.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { NEW_ACCOUNT_SETTINGS } from './settings.ts';

/** Limits accounts that anyone can create for free: a rate per network, and a proof of work per account. */
export interface NewAccounts {
  /** Bits of the proof of work; 0 if none is required. */
  bits: number;
  /**
   * Counts one registration from this address, before anything is looked up.
   *
   * @throws Problem 429 `auth.limit_exceeded` (`new_accounts`)
   */
  count(address: string): Promise<void>;
  /** The network that a new wallet account stores; null if no proof is required. */
  networkFor(address: string): string | null;
}

interface NewAccountsDeps {
  db: Kysely<Schema>;
  clock: Clock;
  production: boolean;
  config: Values<typeof NEW_ACCOUNT_SETTINGS>;
  onLimited?: OnRefused;
}

const PRODUCTION_BITS = 20;

export function createNewAccounts({ db, clock, production, config, onLimited }: NewAccountsDeps): NewAccounts {
  const { proof_of_work_bits, limit, network_limit } = config;
  const bits = proof_of_work_bits ?? (production ? PRODUCTION_BITS : 0);
  const take = async (of: Limit, bucket: string, nowMs: number): Promise<void> => {
    const level = await takeFrom(db, of, bucket, nowMs);
    if (level.is_free) return;
    onLimited?.(of.name);
    throw tooMany(of, level);
  };
  return {
    bits,
    count: async (address) => {
      if (!production) return;
      const nowMs = clock.now();
      const own = clientBucket(address);
      await take(limit, own, nowMs);
      try {
        await take(network_limit, networkOf(address) ?? own, nowMs);
      } catch (error) {
        await giveBackTo(db, limit, own, nowMs);
        throw error;
      }
    },
    networkFor: (address) => (bits === 0 ? null : (networkOf(address) ?? 'unknown')),
  };
}

function tooMany({ name, count, window_ms }: Limit, { used, wait_ms }: Level): Problem {
  const headers = refusalHeaders({ policy: name, count, window_ms, used, wait_ms });
  return accountsProblem(
    'auth.limit_exceeded',
    `Too many new accounts from your network. Retry in ${headers['retry-after']} s, or sign in to an ` +
      'existing account.',
    { reason: 'new_accounts', headers },
  );
}

import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/db/schema.ts';
import { type OnRefused, rateLimited } from '../../../platform/limits/limiter.ts';
import { giveBackTo, type Limit, takeFrom } from '../../../platform/limits/rate-windows.ts';

/** What is counted by the address that is named, whether it has an account or not, so that a 429 tells nothing. */

type Db = Kysely<Schema>;

export interface EmailCounts {
  /** Counts one mail to the address. 429 over the limit. */
  mail(email: string, now_ms: number): Promise<void>;
  /**
   * Counts an attempt before it is made, so that none slips through beside it, and takes it back unless it answers
   * false: a wrong password. 429 over the limit.
   */
  attempt(email: string, now_ms: number, run: () => Promise<boolean>): Promise<boolean>;
}

export interface EmailLimits {
  failed_logins: Limit;
  mails: Limit;
}

export function createEmailCounts(db: Db, { failed_logins, mails }: EmailLimits, onRefused?: OnRefused): EmailCounts {
  const take = async (limit: Limit, email: string, now_ms: number): Promise<void> => {
    const level = await takeFrom(db, limit, bucketOf(email), now_ms);
    if (level.is_free) return;
    onRefused?.(limit.name);
    throw rateLimited(limit, level);
  };
  return {
    mail: (email, now_ms) => take(mails, email, now_ms),
    attempt: async (email, now_ms, run) => {
      await take(failed_logins, email, now_ms);
      let is_right = true;
      try {
        is_right = await run();
      } finally {
        if (is_right) await giveBackTo(db, failed_logins, bucketOf(email), now_ms);
      }
      return is_right;
    },
  };
}

/** The table of counts holds no addresses. */
const bucketOf = (email: string): string => createHash('sha256').update(email).digest('base64url');

import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import type { Schema } from '#core/db/schema.ts';
import { type OnRefused, rateLimited } from '#core/limits/limiter.ts';
import { refusalHeaders } from '#core/limits/rate-limit-headers.ts';
import { giveBackTo, type Level, type Limit, takeFrom } from '#core/limits/rate-windows.ts';
import type { Problem } from '#core/problem/problem.ts';

/** Rate limits by email address, whether it has an account or not, so that a 429 reveals nothing. */

type Db = Kysely<Schema>;

/** Each kind of email has its own limit, so that requests for one kind do not use up another. */
type MailKind = 'confirm' | 'reset' | 'sign_in';

/**
 * Whose password attempts are counted together: everyone's for an address, except for a known device, a signed-in user,
 * and the holder of an emailed link. Attackers are none of these and cannot use up their attempts.
 */
type Guesser = { email: string } | { device: string } | { user: string } | { link: string };

export interface EmailCounts {
  /** Counts one email to the address. Throws a 429 over the limit. */
  mail(kind: MailKind, email: string, nowMs: number): Promise<void>;
  /** Counts one email and returns whether it was within the limit. */
  maySend(kind: MailKind, email: string, nowMs: number): Promise<boolean>;
  /**
   * Counts an attempt before it is made, so that concurrent ones cannot exceed the limit, and uncounts it unless it
   * returns
   * false: a wrong password.
   *
   * @throws Problem 429 `auth.limit_exceeded` (`failed_logins`) over the limit.
   */
  attempt(by: Guesser, nowMs: number, run: () => Promise<boolean>): Promise<boolean>;
}

export interface EmailLimits {
  failed_logins: Limit;
  mails: Limit;
}

export function createEmailCounts(db: Db, { failed_logins, mails }: EmailLimits, onRefused?: OnRefused): EmailCounts {
  const take = async (limit: Limit, bucket: string, nowMs: number): Promise<Level> => {
    const level = await takeFrom(db, limit, bucket, nowMs);
    if (!level.is_free) onRefused?.(limit.name);
    return level;
  };
  const takeMail = (kind: MailKind, email: string, nowMs: number) =>
    take(mails, kind === 'confirm' ? hashOf(email) : `${kind}:${hashOf(email)}`, nowMs);
  return {
    mail: async (kind, email, nowMs) => {
      const level = await takeMail(kind, email, nowMs);
      if (!level.is_free) throw rateLimited(mails, level);
    },
    maySend: async (kind, email, nowMs) => (await takeMail(kind, email, nowMs)).is_free,
    attempt: async (by, nowMs, run) => {
      const bucket = bucketOf(by);
      const level = await take(failed_logins, bucket, nowMs);
      if (!level.is_free) throw tooManyAttempts(failed_logins, level);
      let isRight = true;
      try {
        isRight = await run();
      } finally {
        if (isRight) await giveBackTo(db, failed_logins, bucket, nowMs);
      }
      return isRight;
    },
  };
}

function bucketOf(by: Guesser): string {
  if ('email' in by) return hashOf(by.email);
  if ('device' in by) return `device:${by.device}`;
  return 'user' in by ? `user:${by.user}` : `link:${by.link}`;
}

/** The rate limit table contains no addresses. */
const hashOf = (email: string): string => createHash('sha256').update(email).digest('base64url');

function tooManyAttempts({ name, count, window_ms }: Limit, { used, wait_ms }: Level): Problem {
  const headers = refusalHeaders({ policy: name, count, window_ms, used, wait_ms });
  return accountsProblem(
    'auth.limit_exceeded',
    'Too many wrong passwords for this address. Sign in with an emailed link (POST ' +
      '/api/auth/email/sign-in/request), a wallet, Google, or a known device; or retry in ' +
      `${headers['retry-after']} s.`,
    { reason: 'failed_logins', headers },
  );
}

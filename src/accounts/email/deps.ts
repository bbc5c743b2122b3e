import type { Kysely } from 'kysely';
import type { StartSignIn } from '#accounts/auth/signed-in.ts';
import type { NewAccounts } from '#accounts/proof-of-work/new-accounts.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Passwords } from '#core/crypto/passwords.ts';
import type { Schema } from '#core/db/schema.ts';
import type { MailQueue } from '#core/mail/mail-queue.ts';
import type { AuthMail } from './auth-mail.ts';
import type { EmailCounts } from './counts.ts';

/** Dependencies of the email operations. */
export interface EmailDeps {
  db: Kysely<Schema>;
  clock: Clock;
  passwords: Passwords;
  counts: EmailCounts;
  mail_queue: MailQueue<AuthMail>;
  startSignIn: StartSignIn;
  newAccounts: Pick<NewAccounts, 'count'>;
}

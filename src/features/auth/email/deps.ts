import type { Kysely } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Passwords } from '../../../platform/crypto/passwords.ts';
import type { Schema } from '../../../platform/db/schema.ts';
import type { Letters } from '../../../platform/mail/letters.ts';
import type { NewAccounts } from '../new-accounts/new-accounts.ts';
import type { StartSignIn } from '../signed-in.ts';
import type { EmailCounts } from './counts.ts';
import type { Letter } from './letter.ts';

/** What the operations of email get. */
export interface EmailDeps {
  db: Kysely<Schema>;
  clock: Clock;
  passwords: Passwords;
  counts: EmailCounts;
  letters: Letters<Letter>;
  startSignIn: StartSignIn;
  newAccounts: Pick<NewAccounts, 'count'>;
}

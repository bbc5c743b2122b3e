import type { AuthOptions } from '#accounts/auth/deps.ts';
import { removeExpired } from '#core/db/remove-expired.ts';
import { createMailQueue, type MailQueue } from '#core/mail/mail-queue.ts';
import { type AuthMail, composeAuthMail } from './auth-mail.ts';
import { KEPT_AFTER_MS } from './email-tokens.ts';

type Needed = Pick<AuthOptions, 'database' | 'jobs' | 'keys' | 'clock' | 'log' | 'base_url' | 'sendMail'>;

const CLEAN_MOST = 256;

/** The email queue of authentication. Each email also deletes some old links. */
export const authMailQueue = ({ database, base_url, sendMail, ...rest }: Needed): MailQueue<AuthMail> =>
  createMailQueue<AuthMail>({
    ...rest,
    kind: 'auth.letter',
    compose: async (mail) => {
      await removeExpired(database, 'email_tokens', rest.clock.now() - KEPT_AFTER_MS, CLEAN_MOST);
      return composeAuthMail(database.db, base_url, mail);
    },
    send: sendMail,
  });

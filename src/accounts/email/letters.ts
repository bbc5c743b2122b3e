import type { AuthOptions } from '#accounts/auth/deps.ts';
import { removeExpired } from '#core/db/remove-expired.ts';
import { createLetters, type Letters } from '#core/mail/letters.ts';
import { KEPT_AFTER_MS } from './email-tokens.ts';
import { composeLetter, type Letter } from './letter.ts';

type Needed = Pick<AuthOptions, 'database' | 'jobs' | 'keys' | 'clock' | 'log' | 'base_url' | 'sendMail'>;

const CLEAN_MOST = 256;

/** The email queue of authentication. Each email also deletes some old links. */
export const authLetters = ({ database, base_url, sendMail, ...rest }: Needed): Letters<Letter> =>
  createLetters<Letter>({
    ...rest,
    kind: 'auth.letter',
    compose: async (letter) => {
      await removeExpired(database, 'email_tokens', rest.clock.now() - KEPT_AFTER_MS, CLEAN_MOST);
      return composeLetter(database.db, base_url, letter);
    },
    send: sendMail,
  });

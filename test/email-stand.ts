import assert from 'node:assert/strict';
import type { SignedIn } from '#accounts/auth/signed-in.ts';
import type { Database } from '#core/db/open.ts';
import type { Log } from '#core/log.ts';
import type { Mail } from '#core/mail/message.ts';
import { type AuthStand, authStand, STAND_URL } from './auth-stand.ts';

/** Signs in with an email address, reading the received email. */
export interface EmailStand extends AuthStand {
  post(path: string, body: unknown, token?: string): ReturnType<AuthStand['ask']>;
  /** The only mail that is due. */
  mail(): Promise<Mail>;
  /** The token of the only mail that is due. */
  mailed(kind: 'verify' | 'link' | 'reset' | 'signin'): Promise<string>;
  /** Registers and confirms. */
  open(email: string, password?: string): Promise<SignedIn>;
  login(email: string, password?: string): ReturnType<AuthStand['ask']>;
}

export const PASSWORD = 'correct horse battery';
export const OTHER_PASSWORD = 'staple horse battery';

export async function emailStand(database: Database, log?: Log): Promise<EmailStand> {
  const stand = await authStand(database, undefined, log);
  const post: EmailStand['post'] = (path, body, token) =>
    stand.ask('POST', `/api/auth/email${path}`, token === undefined ? { body } : { body, token });
  const mail = async () => {
    const mails = await stand.deliver();
    assert.equal(mails.length, 1, `mails: ${mails.map((mail) => `${mail.to} ${mail.subject}`).join(', ')}`);
    return mails[0] as Mail;
  };
  const mailed: EmailStand['mailed'] = async (kind) => tokenIn(await mail(), kind);
  return {
    ...stand,
    post,
    mail,
    mailed,
    open: async (email, password = PASSWORD) => {
      assert.equal((await post('/register', { email, password })).status, 202);
      const { status, body } = await post('/verify', { token: await mailed('verify'), password });
      assert.equal(status, 200);
      return body as unknown as SignedIn;
    },
    login: (email, password = PASSWORD) => post('/login', { email, password }),
  };
}

/** The link stands alone on a line, with the token behind the `#`, where it reaches no server's log. */
export function tokenIn({ text }: Mail, kind: string): string {
  const line = text.split('\n').find((line) => line.startsWith(`${STAND_URL}/auth/email#${kind}=`));
  assert.ok(line, text);
  const token = line.split('=')[1] as string;
  assert.match(token, /^[\w-]{43}$/);
  return token;
}

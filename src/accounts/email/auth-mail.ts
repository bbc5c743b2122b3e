import type { Kysely } from 'kysely';
import { findEmail } from '#accounts/users/identities.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Mail } from '#core/mail/message.ts';
import { SERVICE } from '#core/service.ts';

/**
 * Composes emails. Whether an address has an account is looked up here, long after the response to the request. Emails
 * contain nothing from the request, otherwise anyone could send their own words in our name.
 */
export type AuthMail =
  | { about: 'register' | 'link' | 'reset' | 'sign_in'; email: string; token: string }
  | { about: 'password_changed'; email: string }
  | { about: 'unlinked' | 'device_added' | 'device_recovered'; email: string }
  | { about: 'device_waiting'; email: string; usable_from: string | null };

/** Null if there is nobody to write to. */
export async function composeAuthMail(db: Kysely<Schema>, base_url: string, mail: AuthMail): Promise<Mail | null> {
  const { email: to } = mail;
  const notice = noticeOf(base_url, mail);
  if (notice !== null) return { to, ...notice };
  if (!('token' in mail)) return null;
  const { about, token } = mail;
  const isKnown = (await findEmail(db, to)) !== undefined;
  const link = (what: string): string => `${base_url}/auth/email#${what}=${token}`;
  if (about === 'reset') return isKnown ? { to, ...reset(link('reset')) } : null;
  if (about === 'sign_in') return isKnown ? { to, ...signIn(link('signin')) } : null;
  if (isKnown) return { to, ...known(base_url) };
  return about === 'register' ? { to, ...register(link('verify')) } : { to, ...linked(link('link')) };
}

/** Null if the email has a link. */
function noticeOf(baseUrl: string, mail: AuthMail): Words | null {
  if (mail.about === 'password_changed') return passwordChanged();
  if (mail.about === 'unlinked') return unlinked();
  if (mail.about === 'device_added') return deviceAdded();
  if (mail.about === 'device_recovered') return deviceRecovered();
  return mail.about === 'device_waiting' ? deviceWaiting(baseUrl, mail.usable_from) : null;
}

type Words = Omit<Mail, 'to'>;
const { title } = SERVICE;

const words = (subject: string, ...paragraphs: string[]): Words => ({
  subject,
  text: `${['Hello,', ...paragraphs].join('\n\n')}\n`,
});

const register = (link: string): Words =>
  words(
    `Confirm your email address for ${title}`,
    `we received a request to create a ${title} account with this email address.\nTo create the account, ` +
      'confirm the address with the password you chose:',
    link,
    'The link works once and expires in 24 hours.',
    'If you did not request this, ignore this email. No account is created without the password.',
  );

const linked = (link: string): Words =>
  words(
    `Confirm your email address for ${title}`,
    `we received a request to add this email address to a ${title} account. To confirm,\nopen this link ` +
      'and enter the password you chose:',
    link,
    'The link works once and expires in 24 hours.',
    'If you did not request this, ignore this email.',
  );

const known = (baseUrl: string): Words =>
  words(
    `You already have a ${title} account`,
    `we received a request to use this email address for a ${title} account, but you already\nhave one. ` +
      'Nothing was changed. Sign in with your existing password, or reset it\nhere:',
    `${baseUrl}/signin`,
    'If you did not request this, ignore this email.',
  );

const reset = (link: string): Words =>
  words(
    `Reset your ${title} password`,
    `we received a request to reset the password of your ${title} account. To choose a new\npassword, open ` +
      'this link:',
    link,
    'The link works once and expires in one hour. You will be signed out everywhere.',
    'If you did not request this, ignore this email. Your password stays the same.',
  );

const signIn = (link: string): Words =>
  words(
    `Sign in to ${title}`,
    `we received a request for a link to sign in to your ${title} account. Open it in the\nbrowser you ` +
      'want to sign in with:',
    link,
    'The link works once and expires in one hour. Your password stays the same.',
    'If you did not request this, ignore this email. Do not forward the link.',
  );

const passwordChanged = (): Words =>
  words(
    `Your ${title} password was changed`,
    `the password of your ${title} account was changed, and all other sessions were signed out.\nIf you ` +
      'made this change, no action is needed.',
    'If you did not, reset your password now, then check the sessions, API keys and wallets of\nyour account.',
  );

const unlinked = (): Words =>
  words(
    `Email address removed from your ${title} account`,
    `this email address can no longer be used to sign in to your ${title} account. If you made\nthis ` +
      'change, no action is needed.',
    'If you did not, sign in with another method of your account and check its sessions, API\nkeys and wallets.',
  );

const CHECK = 'If you did not, sign in, revoke the device under Account, and change your password.';

const deviceAdded = (): Words =>
  words(
    `New device on your ${title} account`,
    `a device can now confirm requests on your ${title} account, such as creating API keys. If you\nadded it, no ` +
      'action is needed.',
    CHECK,
  );

const deviceRecovered = (): Words =>
  words(
    `New device on your ${title} account`,
    `the waiting time is over, and a device can now confirm requests on your ${title} account. All\nother devices ` +
      'were removed, and all other sessions were signed out. If you did this, check\nyour API keys.',
    CHECK,
  );

const deviceWaiting = (baseUrl: string, usableFrom: string | null): Words =>
  words(
    `A device asks to be added to your ${title} account`,
    `a device asks to confirm requests on your ${title} account. Confirm it with another device or\nyour wallet:`,
    `${baseUrl}/dashboard/account`,
    usableFrom === null
      ? 'Without that, it is not added.'
      : `Without that, it can be added from ${usableFrom} on, and all other devices are then removed.`,
    'If you did not request this, reject it there now, and change your password: another person can\nsign in to your account.',
  );

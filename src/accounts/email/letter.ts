import type { Kysely } from 'kysely';
import { findEmail } from '#accounts/users/identities.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Mail } from '#core/mail/message.ts';
import { SERVICE } from '#core/service.ts';

/**
 * What we write to whom. Whether an address has an account is looked up here, long after the answer to the request.
 * Nothing that a stranger typed stands in a mail, or anybody could send their own words in our name.
 */
export type Letter =
  | { about: 'register' | 'link' | 'reset' | 'sign_in'; email: string; token: string }
  | { about: 'password_changed'; email: string }
  | { about: 'unlinked'; email: string };

/** Null where there is nobody to write to. */
export async function composeLetter(db: Kysely<Schema>, base_url: string, letter: Letter): Promise<Mail | null> {
  const { email: to } = letter;
  if (letter.about === 'password_changed') return { to, ...passwordChanged() };
  if (letter.about === 'unlinked') return { to, ...unlinked() };
  const { about, token } = letter;
  const is_known = (await findEmail(db, to)) !== undefined;
  const link = (what: string): string => `${base_url}/auth/email#${what}=${token}`;
  if (about === 'reset') return is_known ? { to, ...reset(link('reset')) } : null;
  if (about === 'sign_in') return is_known ? { to, ...signIn(link('signin')) } : null;
  if (is_known) return { to, ...known(base_url) };
  return about === 'register' ? { to, ...register(link('verify')) } : { to, ...linked(link('link')) };
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
    `somebody asked to open a ${title} account with this email address and chose a password\nfor it. If that was you, confirm the address here, with that password:`,
    link,
    'The link works once, within a day.',
    'If it was not you, there is nothing to do: no account is made without the password.',
  );

const linked = (link: string): Words =>
  words(
    `Confirm your email address for ${title}`,
    `somebody asked to use this email address to sign in to their ${title} account. If that\nwas you, confirm it here, with the password that you chose for it:`,
    link,
    'The link works once, within a day.',
    'If it was not you, do not open the link: nothing happens without it.',
  );

const known = (base_url: string): Words =>
  words(
    `You have a ${title} account already`,
    `somebody asked to use this email address for a ${title} account. It has one already, and\nnothing was changed. If that was you, sign in with the password you have, or ask for a new\none:`,
    `${base_url}/signin`,
    'If it was not you, there is nothing to do.',
  );

const reset = (link: string): Words =>
  words(
    `Choose a new password for ${title}`,
    `somebody asked for a new password for the ${title} account with this email address. If\nthat was you, choose it here:`,
    link,
    'The link works once, within an hour. All sessions of the account end then.',
    'If it was not you, there is nothing to do: the password stays as it is.',
  );

const signIn = (link: string): Words =>
  words(
    `Sign in to ${title}`,
    `somebody asked for a link to sign in to the ${title} account with this email address. If\nthat was you, open it in the browser to sign in with:`,
    link,
    'The link works once, within an hour. Your password stays as it is.',
    'If it was not you, there is nothing to do. Do not send the link to anybody.',
  );

const passwordChanged = (): Words =>
  words(
    `Your ${title} password was changed`,
    `the password of your ${title} account was changed, and other sessions were ended. If that\nwas you, there is nothing to do.`,
    'If it was not you, ask for a new password at once, then look at the sessions, API keys and\nwallets of your account.',
  );

const unlinked = (): Words =>
  words(
    `Your email address was taken off your ${title} account`,
    `this email address no longer signs in to your ${title} account. If that was you, there is\nnothing to do.`,
    'If it was not you, sign in another way that the account has, and look at its sessions, API\nkeys and wallets.',
  );

import { signedInAnswer } from '#accounts/auth/signed-in-answer.ts';
import { deleted } from '#accounts/users/deleted.ts';
import { DisplayName } from '#accounts/users/display-name.ts';
import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from './password-rule.ts';

/** The operations of this part, as data. */

const Email = Type.String({
  minLength: 3,
  maxLength: 320,
  description: 'The name before the @ in ASCII; upper and lower case are the same.',
});
const NewPassword = Type.String({
  minLength: PASSWORD_MIN,
  maxLength: PASSWORD_MAX,
  description: 'Any characters. The few that guessers try first are refused.',
});
const Password = Type.String({ minLength: 1, maxLength: PASSWORD_MAX });
const Token = Type.String({ minLength: 1, maxLength: 100, description: 'What follows the `=` in the mailed link.' });
const body = <const P extends Parameters<typeof Type.Object>[0]>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

const RememberDevice = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'Answer a `device_token` where the account does not know this device yet. Keep it for your next login.',
  }),
);
const DeviceToken = Type.String({ minLength: 1, maxLength: 100, description: 'Of an earlier answer.' });

const status = <const S extends string>(value: S, description: string) => ({
  description,
  content: { 'application/json': { schema: Type.Object({ status: Type.Literal(value) }), example: { status: value } } },
});

const EMAIL = 'ada@example.org';
const PASSWORD = 'correct horse battery staple';
const TOKEN = 'o7hCw2tKk0r9m1cVb3XyQ5uZpJ8sLd6fGaEeNnTtRrI';
const MAIL_LINK: readonly string[] = ['auth.mail_link_expired', 'auth.mail_link_unknown', 'auth.mail_link_used'];

export const emailContract = {
  register: operation({
    id: 'accounts.email.register',
    method: 'POST',
    path: '/api/auth/email/register',
    summary: 'Register with an email address',
    description:
      'Mails a link that opens the account; nothing is made before it is used. The answer is the same whether the ' +
      'address has an account or not: where it has, the mail says so.',
    access: 'public',
    limit: 'email',
    body: body({ email: Email, password: NewPassword, display_name: Type.Optional(DisplayName) }),
    body_example: { email: EMAIL, password: PASSWORD, display_name: 'Ada' },
    answers: { 202: status('verification_sent', 'A mail is on its way.') },
    problems: ['auth.email_malformed', 'auth.password_weak', 'auth.too_many_new_accounts', 'crypto.busy'],
  }),
  verify: operation({
    id: 'accounts.email.verify',
    method: 'POST',
    path: '/api/auth/email/verify',
    summary: 'Confirm an email address',
    description:
      'Uses up the token of a mailed link: opens the account that was registered, or links the address to the account ' +
      'that asked for it, and signs in. Takes the password that was chosen for the address, too: nobody gets an ' +
      'account whose password a stranger chose, and an address with a slip in it gives nobody else a way in.',
    access: 'public',
    limit: 'email',
    body: body({ token: Token, password: Password }),
    body_example: { token: TOKEN, password: PASSWORD },
    answers: { 200: signedInAnswer('The address is confirmed; a session has begun.') },
    problems: [
      ...MAIL_LINK,
      'auth.account_changed',
      'auth.bad_credentials',
      'auth.email_taken',
      'auth.too_many_attempts',
      'crypto.busy',
    ],
  }),
  logIn: operation({
    id: 'accounts.email.logIn',
    method: 'POST',
    path: '/api/auth/email/login',
    summary: 'Sign in with email and password',
    description:
      'An unknown address and a wrong password get the same answer, after the same time. After ten failures in an hour ' +
      'for one address, known or not, the answer is 429. Attempts with the `device_token` of a device that signed in ' +
      'before are counted apart, so other people’s failures do not keep you out; an emailed link signs in, too.',
    access: 'public',
    limit: 'email',
    body: body({
      email: Email,
      password: Password,
      device_token: Type.Optional(DeviceToken),
      remember_device: RememberDevice,
    }),
    body_example: { email: EMAIL, password: PASSWORD },
    answers: { 200: signedInAnswer('A session has begun.', { with_device: true }) },
    problems: [
      'auth.account_changed',
      'auth.bad_credentials',
      'auth.email_malformed',
      'auth.too_many_attempts',
      'crypto.busy',
    ],
  }),
  requestSignInLink: operation({
    id: 'accounts.email.requestSignInLink',
    method: 'POST',
    path: '/api/auth/email/sign-in/request',
    summary: 'Request an emailed link to sign in',
    description:
      'For when you do not have the password at hand, or wrong passwords of others are answered with 429. The answer is ' +
      'the same whether the address has an account or not; an email is sent only where it has, at most five an hour.',
    access: 'public',
    limit: 'email',
    body: body({ email: Email }),
    body_example: { email: EMAIL },
    answers: { 202: status('sign_in_sent', 'If the address has an account, an email is on its way.') },
    problems: ['auth.email_malformed'],
  }),
  verifySignInLink: operation({
    id: 'accounts.email.verifySignInLink',
    method: 'POST',
    path: '/api/auth/email/sign-in',
    summary: 'Sign in with an emailed link',
    description: 'Uses up the token of the link. The password stays as it is.',
    access: 'public',
    limit: 'email',
    body: body({ token: Token, remember_device: RememberDevice }),
    body_example: { token: TOKEN },
    answers: { 200: signedInAnswer('A session has begun.', { with_device: true }) },
    problems: [...MAIL_LINK, 'auth.account_changed'],
  }),
  requestPasswordReset: operation({
    id: 'accounts.email.requestPasswordReset',
    method: 'POST',
    path: '/api/auth/email/reset/request',
    summary: 'Ask for a mail to choose a new password',
    description:
      'The answer is the same whether the address has an account or not; an email is sent only where it has. At most ' +
      'five are sent to an address in an hour; further requests get the same answer, and the links sent so far work.',
    access: 'public',
    limit: 'email',
    body: body({ email: Email }),
    body_example: { email: EMAIL },
    answers: { 202: status('reset_sent', 'If the address has an account, a mail is on its way.') },
    problems: ['auth.email_malformed'],
  }),
  resetPassword: operation({
    id: 'accounts.email.resetPassword',
    method: 'POST',
    path: '/api/auth/email/reset',
    summary: 'Choose a new password by a mailed link',
    description: 'Uses up the token, sets the password and ends every session of the account. Sign in with it then.',
    access: 'public',
    limit: 'email',
    body: body({ token: Token, password: NewPassword }),
    body_example: { token: TOKEN, password: PASSWORD },
    answers: { 200: status('password_changed', 'The new password stands.') },
    problems: [...MAIL_LINK, 'auth.password_weak', 'crypto.busy'],
  }),
  changePassword: operation({
    id: 'accounts.email.changePassword',
    method: 'POST',
    path: '/api/auth/email/password',
    summary: 'Change the password',
    description: 'Takes the current password too. Ends every other session of the account, and mails its owner.',
    access: 'fresh',
    limit: 'email',
    body: body({ current_password: Password, new_password: NewPassword }),
    body_example: { current_password: PASSWORD, new_password: 'staple battery horse correct' },
    answers: { 200: status('password_changed', 'The new password stands.') },
    problems: [
      'auth.email_not_linked',
      'auth.password_weak',
      'auth.too_many_attempts',
      'auth.wrong_password',
      'crypto.busy',
    ],
  }),
  link: operation({
    id: 'accounts.email.link',
    method: 'POST',
    path: '/api/auth/email',
    summary: "Link an email address to one's own account",
    description:
      'Mails a link; the address is linked when it is confirmed with the password chosen here. Two accounts are never ' +
      'merged: where the address has an account already, the answer is the same and its owner is told by mail.',
    access: 'fresh',
    limit: 'email',
    body: body({ email: Email, password: NewPassword }),
    body_example: { email: EMAIL, password: PASSWORD },
    answers: { 202: status('verification_sent', 'A mail is on its way.') },
    problems: ['auth.email_linked', 'auth.email_malformed', 'auth.password_weak', 'crypto.busy'],
  }),
  unlink: operation({
    id: 'accounts.email.unlink',
    method: 'DELETE',
    path: '/api/auth/email',
    summary: "Take the email address off one's own account",
    description:
      'The address and its password sign in no more, and every other session ends. Refused where it is the only way in.',
    access: 'fresh',
    answers: { 200: deleted('The address is off the account.') },
    problems: ['auth.email_not_linked', 'auth.last_identity'],
  }),
};

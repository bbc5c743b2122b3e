import { signedInAnswer } from '#accounts/auth/signed-in-answer.ts';
import { deleted } from '#accounts/users/deleted.ts';
import { DisplayName } from '#accounts/users/display-name.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from './password-rule.ts';

/** The operations of email accounts. */

const Email = Type.String({
  minLength: 3,
  maxLength: 320,
  description: 'Email address. The local part must be ASCII and is case-insensitive.',
});
const NewPassword = Type.String({
  minLength: PASSWORD_MIN,
  maxLength: PASSWORD_MAX,
  description: 'Any characters. Commonly used passwords are rejected.',
});
const Password = Type.String({ minLength: 1, maxLength: PASSWORD_MAX });
const Token = Type.String({ minLength: 1, maxLength: 100, description: 'Token from the emailed link, after the `=`.' });
const body = <const P extends Parameters<typeof Type.Object>[0]>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

const RememberDevice = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'Return a `device_token` if the account does not know this device yet. Send the token with your next ' + 'login.',
  }),
);
const DeviceToken = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The `device_token` of an earlier login.',
});

const status = <const S extends string>(value: S, description: string) =>
  jsonAnswer(description, Type.Object({ status: Type.Literal(value) }), { status: value });

const EMAIL = 'ada@example.org';
const PASSWORD = 'correct horse battery staple';
const TOKEN = 'o7hCw2tKk0r9m1cVb3XyQ5uZpJ8sLd6fGaEeNnTtRrI';
const MAIL_LINK: readonly string[] = ['auth.email_link_invalid'];

export const emailContract = {
  register: operation({
    id: 'accounts.email.register',
    method: 'POST',
    path: '/api/auth/email/register',
    summary: 'Register with an email address',
    description:
      'Emails a confirmation link. The account is created when the link is used. The response is the same ' +
      'whether or not the address has an account; the owner of an existing account is notified by email.',
    access: 'public',
    limit: 'email',
    body: body({ email: Email, password: NewPassword, display_name: Type.Optional(DisplayName) }),
    body_example: { email: EMAIL, password: PASSWORD, display_name: 'Ada' },
    answers: { 202: status('verification_sent', 'Email sent.') },
    problems: ['http.invalid', 'auth.limit_exceeded', 'http.unavailable'],
  }),
  verify: operation({
    id: 'accounts.email.verify',
    method: 'POST',
    path: '/api/auth/email/verify',
    summary: 'Confirm an email address',
    description:
      'Uses the token of an emailed link together with the chosen password. Creates the registered ' +
      'account, or links the address to the account that requested it, and signs in. Requiring the ' +
      'password prevents an account from being created with a password its owner does not know.',
    access: 'public',
    limit: 'email',
    body: body({ token: Token, password: Password }),
    body_example: { token: TOKEN, password: PASSWORD },
    answers: { 200: signedInAnswer('Address confirmed; session started.') },
    problems: [
      ...MAIL_LINK,
      'auth.identity_conflict',
      'auth.credentials_invalid',
      'auth.limit_exceeded',
      'http.unavailable',
    ],
  }),
  logIn: operation({
    id: 'accounts.email.logIn',
    method: 'POST',
    path: '/api/auth/email/login',
    summary: 'Sign in with email and password',
    description:
      'Unknown addresses and wrong passwords return the same response after the same time. After ten ' +
      'failures in an hour for one address, the response is 429. Attempts with the `device_token` of a ' +
      'known device are counted separately, so failed attempts by others do not lock you out. Emailed ' +
      'sign-in links also keep working.',
    access: 'public',
    limit: 'email',
    body: body({
      email: Email,
      password: Password,
      device_token: Type.Optional(DeviceToken),
      remember_device: RememberDevice,
    }),
    body_example: { email: EMAIL, password: PASSWORD },
    answers: { 200: signedInAnswer('Session started.', { with_device: true }) },
    problems: [
      'auth.identity_conflict',
      'auth.credentials_invalid',
      'http.invalid',
      'auth.limit_exceeded',
      'http.unavailable',
    ],
  }),
  requestSignInLink: operation({
    id: 'accounts.email.requestSignInLink',
    method: 'POST',
    path: '/api/auth/email/sign-in/request',
    summary: 'Request a sign-in link by email',
    description:
      "Use this if you do not have the password at hand, or if others' failed attempts cause 429 " +
      'responses. The response is the same whether or not the address has an account. At most five emails ' +
      'are sent per hour.',
    access: 'public',
    limit: 'email',
    body: body({ email: Email }),
    body_example: { email: EMAIL },
    answers: { 202: status('sign_in_sent', 'Email sent if the address has an account.') },
    problems: ['http.invalid'],
  }),
  verifySignInLink: operation({
    id: 'accounts.email.verifySignInLink',
    method: 'POST',
    path: '/api/auth/email/sign-in',
    summary: 'Sign in with an emailed link',
    description: 'Uses the token of the link. The password does not change.',
    access: 'public',
    limit: 'email',
    body: body({ token: Token, remember_device: RememberDevice }),
    body_example: { token: TOKEN },
    answers: { 200: signedInAnswer('Session started.', { with_device: true }) },
    problems: [...MAIL_LINK, 'auth.identity_conflict'],
  }),
  requestPasswordReset: operation({
    id: 'accounts.email.requestPasswordReset',
    method: 'POST',
    path: '/api/auth/email/reset/request',
    summary: 'Request a password reset',
    description:
      'The response is the same whether or not the address has an account. At most five emails are sent ' +
      'per address and hour; further requests return the same response, and earlier links stay valid.',
    access: 'public',
    limit: 'email',
    body: body({ email: Email }),
    body_example: { email: EMAIL },
    answers: { 202: status('reset_sent', 'Email sent if the address has an account.') },
    problems: ['http.invalid'],
  }),
  resetPassword: operation({
    id: 'accounts.email.resetPassword',
    method: 'POST',
    path: '/api/auth/email/reset',
    summary: 'Reset the password',
    description:
      'Uses the token of an emailed link, sets the password and ends all sessions of the account. Sign in ' +
      'with the new password afterwards.',
    access: 'public',
    limit: 'email',
    body: body({ token: Token, password: NewPassword }),
    body_example: { token: TOKEN, password: PASSWORD },
    answers: { 200: status('password_changed', 'Password changed.') },
    problems: [...MAIL_LINK, 'http.invalid', 'http.unavailable'],
  }),
  changePassword: operation({
    id: 'accounts.email.changePassword',
    method: 'POST',
    path: '/api/auth/email/password',
    summary: 'Change the password',
    description:
      'Requires the current password. Ends all other sessions of the account and notifies the owner by email.',
    access: 'fresh',
    limit: 'email',
    body: body({ current_password: Password, new_password: NewPassword }),
    body_example: { current_password: PASSWORD, new_password: 'staple battery horse correct' },
    answers: { 200: status('password_changed', 'Password changed.') },
    problems: ['auth.not_found', 'http.invalid', 'auth.limit_exceeded', 'auth.password_invalid', 'http.unavailable'],
  }),
  link: operation({
    id: 'accounts.email.link',
    method: 'POST',
    path: '/api/auth/email',
    summary: 'Link an email address',
    description:
      'Emails a confirmation link. The address is linked when it is confirmed with the password chosen ' +
      'here. Accounts are never merged: if the address already has an account, the response is the same ' +
      'and its owner is notified by email.',
    access: 'fresh',
    signs: ['email'],
    limit: 'email',
    body: body({ email: Email, password: NewPassword }),
    body_example: { email: EMAIL, password: PASSWORD },
    answers: { 202: status('verification_sent', 'Email sent.') },
    problems: ['auth.identity_conflict', 'http.invalid', 'http.unavailable'],
  }),
  unlink: operation({
    id: 'accounts.email.unlink',
    method: 'DELETE',
    path: '/api/auth/email',
    summary: 'Remove your email address',
    description:
      'Removes the address and its password as a sign-in method and ends all other sessions. The last ' +
      'sign-in method cannot be removed.',
    access: 'fresh',
    answers: { 200: deleted('Email address removed.') },
    problems: ['auth.not_found', 'auth.identity_conflict'],
  }),
};

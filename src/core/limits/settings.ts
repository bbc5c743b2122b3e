import { rate } from '#core/config/config.ts';

/** The limits by the name that operations call them by. */
export const LIMIT_SETTINGS = {
  wallet: rate('CAPSTAN_LIMIT_WALLET', 'wallet', '300/1m', {
    description: 'Wallet challenges and their answers that one network address may send.',
  }),
  email: rate('CAPSTAN_LIMIT_EMAIL', 'email', '30/1m', {
    description: 'Registrations, logins, and all else that checks a password or sends a mail, of one network address.',
  }),
  google: rate('CAPSTAN_LIMIT_GOOGLE', 'google', '60/1m', {
    description: 'Sign-ins and links with Google that one network address may begin or complete.',
  }),
  oauth: rate('CAPSTAN_LIMIT_OAUTH', 'oauth', '60/1m', {
    description: 'Sign-ins to the servers of connections that one network address may begin or complete.',
  }),
  authorize: rate('CAPSTAN_LIMIT_AUTHORIZE', 'authorize', '60/1m', {
    description: 'Pages on which users let clients in that one network address may ask for.',
  }),
  clients: rate('CAPSTAN_LIMIT_CLIENTS', 'clients', '20/1h', {
    description: 'Clients that one network address may register.',
  }),
  token: rate('CAPSTAN_LIMIT_TOKEN', 'token', '120/1m', {
    description: 'Tokens that clients of one network address may ask for or revoke.',
  }),
  connect: rate('CAPSTAN_LIMIT_CONNECT', 'connect', '60/1m', {
    description: 'Connections to servers that one network address may make: each has a server asked.',
  }),
  publish: rate('CAPSTAN_LIMIT_PUBLISH', 'publish', '60/1m', {
    description: 'Versions that one network address may publish or have looked at: each has all of its files checked.',
  }),
  report: rate('CAPSTAN_LIMIT_REPORT', 'report', '20/1h', {
    description: 'Reports and appeals that one network address may send.',
  }),
  claim: rate('CAPSTAN_LIMIT_CLAIM', 'claim', '60/1h', {
    description: 'Claims that one network address may make or have verified: each has a file of a repository fetched.',
  }),
  mcp: rate('CAPSTAN_LIMIT_MCP', 'mcp', '600/1m', {
    description: 'Messages that one network address may send to the MCP endpoint.',
  }),
  failed_logins: rate('CAPSTAN_LIMIT_FAILED_LOGINS', 'failed-logins', '10/1h', {
    description:
      'Wrong passwords for one address, wherever they come from; devices that signed in before are counted apart.',
  }),
  mails: rate('CAPSTAN_LIMIT_MAILS', 'mails', '5/1h', {
    description: 'Emails of one kind (confirmation, reset, sign-in link) sent to one address, whoever asks for them.',
  }),
} as const;

import { rate } from '#core/config/config.ts';

/** Rate limits, by the name that operations use. */
export const LIMIT_SETTINGS = {
  wallet: rate('CAPSTAN_LIMIT_WALLET', 'wallet', '300/1m', {
    description: 'Wallet challenges and signatures per network address.',
  }),
  email: rate('CAPSTAN_LIMIT_EMAIL', 'email', '30/1m', {
    description:
      'Registrations, logins and other requests that check a password or send an email, per network address.',
  }),
  google: rate('CAPSTAN_LIMIT_GOOGLE', 'google', '60/1m', {
    description: 'Google sign-ins and links started or completed per network address.',
  }),
  oauth: rate('CAPSTAN_LIMIT_OAUTH', 'oauth', '60/1m', {
    description: 'Connection authorizations started or completed per network address.',
  }),
  authorize: rate('CAPSTAN_LIMIT_AUTHORIZE', 'authorize', '60/1m', {
    description: 'OAuth authorization pages per network address.',
  }),
  clients: rate('CAPSTAN_LIMIT_CLIENTS', 'clients', '20/1h', {
    description: 'OAuth client registrations per network address.',
  }),
  token: rate('CAPSTAN_LIMIT_TOKEN', 'token', '120/1m', {
    description: 'OAuth token requests and revocations per network address.',
  }),
  connect: rate('CAPSTAN_LIMIT_CONNECT', 'connect', '60/1m', {
    description: 'Connections created per network address. Each one sends requests to a server.',
  }),
  publish: rate('CAPSTAN_LIMIT_PUBLISH', 'publish', '60/1m', {
    description: 'Versions published or validated per network address. Each one checks all its files.',
  }),
  publish_check: rate('CAPSTAN_LIMIT_PUBLISH_CHECK', 'publish_check', '120/1m', {
    description:
      'Files checked before they are published, per network address. The publishing page checks while you type.',
  }),
  report: rate('CAPSTAN_LIMIT_REPORT', 'report', '20/1h', {
    description: 'Reports and appeals per network address.',
  }),
  claim: rate('CAPSTAN_LIMIT_CLAIM', 'claim', '60/1h', {
    description: 'Ownership claims created or verified per network address. Each one fetches a file from a repository.',
  }),
  probe: rate('CAPSTAN_LIMIT_PROBE', 'probe', '20/1h', {
    description:
      'Probes of listed servers that readers ask for, per network address. Each one sends requests to a server.',
  }),
  shared: rate('CAPSTAN_LIMIT_SHARED', 'shared', '120/1m', {
    description: 'Shared runs opened per network address.',
  }),
  trials: rate('CAPSTAN_LIMIT_TRIALS', 'trials', '30/1m', {
    description: 'Requests to run something without an account, per network address. Few of them may start a run.',
  }),
  mcp: rate('CAPSTAN_LIMIT_MCP', 'mcp', '600/1m', {
    description: 'MCP messages per network address.',
  }),
  failed_logins: rate('CAPSTAN_LIMIT_FAILED_LOGINS', 'failed-logins', '10/1h', {
    description: 'Failed logins per email address, from all networks. Known devices are counted separately.',
  }),
  mails: rate('CAPSTAN_LIMIT_MAILS', 'mails', '5/1h', {
    description: 'Emails of one kind (confirmation, reset, sign-in link) per recipient address.',
  }),
} as const;

import { Problem } from '../../platform/problem.ts';
import type { SessionsBase } from './deps.ts';
import type { OAuth } from './seams.ts';

/** Signing in to a connection's server. */
export const openOAuth = (_base: SessionsBase): OAuth => ({
  accessToken: async () => {
    throw new Problem('conflict', 'sessions.auth_required', 'The connection has to be signed in first.');
  },
  refreshOrRequire: async () => 'sign_in',
  revoke: async () => {},
});

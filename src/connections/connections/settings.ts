import { OAUTH_CLIENTS } from '#connections/authorization/settings.ts';
import { duration, integer } from '#core/config/config.ts';

export const SESSIONS_SETTINGS = {
  per_user: integer('CAPSTAN_CONNECTIONS_PER_USER', 50, 1, 10_000, {
    description: 'How many connections to MCP servers one user may have.',
  }),
  idle_ms: duration('CAPSTAN_SESSION_IDLE', '60s', 1_000, {
    description: 'How long a session with a connected MCP server is kept open after its last use.',
  }),
  oauth_clients: OAUTH_CLIENTS,
} as const;

import { OAUTH_CLIENTS } from '#connections/authorization/settings.ts';
import { duration, integer } from '#core/config/config.ts';

export const CONNECTIONS_SETTINGS = {
  per_user: integer('CAPSTAN_CONNECTIONS_PER_USER', 50, 1, 10_000, {
    description: 'Maximum MCP connections per user.',
  }),
  idle_ms: duration('CAPSTAN_SESSION_IDLE', '60s', 1_000, {
    description: 'Idle time after which a session with an MCP server is closed.',
  }),
  oauth_clients: OAUTH_CLIENTS,
} as const;

import { OAUTH_CLIENTS } from '#connections/authorization/settings.ts';
import { duration, integer } from '#core/config/config.ts';

export const CONNECTIONS_SETTINGS = {
  per_user: integer('CAPSTAN_CONNECTIONS_PER_USER', 50, 1, 10_000, {
    description: 'Maximum MCP connections per user.',
  }),
  idle_ms: duration('CAPSTAN_SESSION_IDLE', '60s', 1_000, {
    description: 'Idle time after which a session with an MCP server is closed.',
  }),
  tool_list_holds_ms: duration('CAPSTAN_TOOL_LIST_HOLDS', '30s', 0, {
    description:
      'How long a verified tool list holds for calls in a session with an MCP server that announces changes. 0s asks for the list before every call.',
  }),
  oauth_clients: OAUTH_CLIENTS,
} as const;

import { duration, integer } from '#core/config/config.ts';

export const MCP_SETTINGS = {
  max: integer('CAPSTAN_MCP_SESSIONS', 500, 0, 100_000, {
    description:
      'Maximum MCP client sessions, over all processes. Only clients with elicitation or sampling have one; above the limit they are served without.',
  }),
  idle_ms: duration('CAPSTAN_MCP_SESSION_IDLE', '30m', 1_000, {
    description: 'Idle time after which an MCP client session ends.',
  }),
} as const;

import { duration, integer } from '#core/config/config.ts';

export const MCP_SETTINGS = {
  max: integer('CAPSTAN_MCP_SESSIONS', 500, 0, 100_000, {
    description:
      'How many sessions of MCP clients are kept, in all processes together. Only clients that can be asked something have one; over this they are served without.',
  }),
  idle_ms: duration('CAPSTAN_MCP_SESSION_IDLE', '30m', 1_000, {
    description: 'How long a session of an MCP client is kept when nothing is asked in it.',
  }),
} as const;

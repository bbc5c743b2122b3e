import { duration, integer } from '#core/config/config.ts';

export const AGENT_SETTINGS = {
  max_steps: integer('CAPSTAN_CHAT_MAX_STEPS', 12, 1, 200, {
    description: 'Maximum model responses per agent turn.',
  }),
  max_tokens: integer('CAPSTAN_CHAT_MAX_TOKENS', 200_000, 1_000, 100_000_000, {
    description: 'Maximum tokens per agent turn, input and output together.',
  }),
  timeout_ms: duration('CAPSTAN_CHAT_TIMEOUT', '5m', 1_000, {
    description: 'Time limit of an agent turn.',
  }),
  at_once: integer('CAPSTAN_CHATS', 256, 1, 100_000, {
    description: 'Maximum concurrent agent turns per process. More are rejected.',
  }),
  conversations_per_user: integer('CAPSTAN_CONVERSATIONS', 500, 1, 1_000_000, {
    description: 'Maximum stored conversations per user.',
  }),
  retention_ms: duration('CAPSTAN_CONVERSATION_RETENTION', '90d', 3_600_000, {
    description: 'Retention of a conversation after its last turn.',
  }),
} as const;

import { duration, integer } from '#core/config/config.ts';

export const AGENT_SETTINGS = {
  max_steps: integer('CAPSTAN_CHAT_MAX_STEPS', 12, 1, 200, {
    description: 'How many answers of a model one turn with the agent may take, tool calls between them.',
  }),
  max_tokens: integer('CAPSTAN_CHAT_MAX_TOKENS', 200_000, 1_000, 100_000_000, {
    description: 'How many tokens one turn with the agent may use, input and output of all its answers together.',
  }),
  timeout_ms: duration('CAPSTAN_CHAT_TIMEOUT', '5m', 1_000, {
    description: 'How long one turn with the agent may take.',
  }),
  at_once: integer('CAPSTAN_CHATS', 256, 1, 100_000, {
    description: 'How many turns with the agent one process works on at once; more are turned away.',
  }),
  conversations_per_user: integer('CAPSTAN_CONVERSATIONS', 500, 1, 1_000_000, {
    description: 'How many conversations with the agent one user may keep.',
  }),
  retention_ms: duration('CAPSTAN_CONVERSATION_RETENTION', '90d', 3_600_000, {
    description: 'How long a conversation with the agent is kept after its last turn.',
  }),
} as const;

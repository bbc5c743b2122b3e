import { deleted } from '#accounts/users/deleted.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { ChatMessage, TURN } from '#surfaces/agent/contract.ts';
import { CONVERSATION_EXAMPLE, CONVERSATION_ID, WHOLE_EXAMPLE } from '#surfaces/agent/examples.ts';

/** The operations of conversations. */

const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const time = Type.String({ format: 'date-time' });

const LINE = { id: text, title: text, turns: count, created_at: time, updated_at: time };
const Line = Type.Object(LINE);
const Whole = Type.Object({
  ...LINE,
  items: Type.Array(
    Type.Object({
      ...TURN,
      input: Type.Array(ChatMessage),
      created_at: time,
      finished_at: Type.Union([time, Type.Null()]),
    }),
    { description: 'The turns, oldest first.' },
  ),
});

const Id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });

export const conversationsContract = {
  list: operation({
    id: 'surfaces.conversations.list',
    method: 'GET',
    path: '/api/agents/core-agent/conversations',
    summary: 'List your conversations',
    description: 'Most recently active first. `Link` points to the next and previous page.',
    access: 'jwt',
    query: Type.Object({ ...pageQuery('Conversations') }),
    examples: { limit: 50, offset: 0 },
    answers: {
      200: jsonAnswer('One page of conversations.', pageOf(Line), {
        items: [CONVERSATION_EXAMPLE],
        total_count: 1,
        limit: 50,
        offset: 0,
      }),
    },
    problems: [],
  }),
  get: operation({
    id: 'surfaces.conversations.get',
    method: 'GET',
    path: '/api/agents/core-agent/conversations/{id}',
    summary: 'Get a conversation',
    description: 'Includes its turns, also failed ones.',
    access: 'jwt',
    params: Id,
    examples: { id: CONVERSATION_ID },
    answers: { 200: jsonAnswer('The conversation.', Whole, WHOLE_EXAMPLE) },
    problems: ['agents.not_found'],
  }),
  delete: operation({
    id: 'surfaces.conversations.delete',
    method: 'DELETE',
    path: '/api/agents/core-agent/conversations/{id}',
    summary: 'Delete a conversation',
    description: 'Deletes its turns and cancels a running one. Tasks and receipts are kept.',
    access: 'jwt',
    params: Id,
    examples: { id: CONVERSATION_ID },
    answers: { 200: deleted('Deleted.') },
    problems: ['agents.not_found'],
  }),
} as const;

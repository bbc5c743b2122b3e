import { after } from 'node:test';
import { defined } from '#core/defined.ts';
import type { Caller } from '#core/http/caller.ts';
import type { Handler, Input, Reply } from '#core/http/operation.ts';
import { openModels } from '#core/llm/models.ts';
import { agentsStand } from './agents-stand.ts';
import { openTestDatabase } from './databases.ts';
import { providersAt } from './llm-stand.ts';

type OperationName =
  | 'answer'
  | 'cancel'
  | 'chat'
  | 'getStatus'
  | 'listModels'
  | 'setModel'
  | 'listConversations'
  | 'getConversation'
  | 'deleteConversation';

/** The agent's operations called as functions, on a database of their own, without any key. */
export async function agentsCalls() {
  const database = await openTestDatabase();
  after(() => database.close());
  const models = openModels({
    model: null,
    providers: providersAt(null, null),
    timeout_ms: 5_000,
    retries: 0,
    max_steps: 5,
    max_tokens: 20_000,
    max_output_tokens: 500,
  });
  // Two turns are never of the same millisecond, so that their order is certain.
  let ms = Date.now();
  const { agents, questions, newCaller } = agentsStand(database, models, { clock: { now: () => ++ms } });
  const { agent, conversations } = agents.routes;
  const handlers: Record<string, unknown> = {
    ...agent,
    listConversations: conversations.list,
    getConversation: conversations.get,
    deleteConversation: conversations.delete,
  };
  const call = async (name: OperationName, caller: Caller, given: object = {}) => {
    const input = {
      caller,
      params: {},
      query: {},
      body: {},
      headers: {},
      raw_path: '/',
      signal: new AbortController().signal,
    };
    const reply: Reply = await (handlers[name] as Handler)({ ...input, ...given } as unknown as Input);
    return { headers: reply.headers ?? {}, body: JSON.parse(reply.body as string) };
  };
  const chat = async (caller: Caller, message: string, conversation_id?: string) =>
    (await call('chat', caller, { body: { message, ...defined({ conversation_id }) } })).body;
  return { call, chat, newCaller, database, questions };
}

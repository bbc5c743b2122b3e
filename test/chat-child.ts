import assert from 'node:assert/strict';
import { findUser } from '#accounts/users/users.ts';
import { type DatabaseConfig, openDatabase } from '#core/db/open.ts';
import type { Model } from '#core/llm/model.ts';
import { Problem } from '#core/problem/problem.ts';
import { agentsStand } from './agents-stand.ts';
import { openLlmStand } from './llm-stand.ts';
import { callerOf } from './tool-calls.ts';

/** A process that says it is ready, waits for the word, then begins many chats of one user at once. */

/** Says one word at once. */
const instant: Model = {
  id: 'compatible/instant',
  provider: 'compatible',
  name: 'instant',
  generate: async () => assert.fail('streamed'),
  stream: async function* ({ on_start }) {
    on_start?.();
    const usage = { input_tokens: 1, output_tokens: 1, cached_input_tokens: null, reasoning_tokens: null };
    const rest = { tool_calls: [], messages: [{ role: 'assistant' as const, content: 'ok' }], usage };
    yield { type: 'end', answer: { text: 'ok', finish_reason: 'stop', response_id: '', response_model: '', ...rest } };
  },
};

const order = JSON.parse(process.argv[2] ?? '') as { database: DatabaseConfig; user_id: string; chats: number };
const database = await openDatabase(order.database);
const llm = await openLlmStand();
const { agents } = agentsStand(database, { ...llm.models, pick: () => instant });
const { tier } = (await findUser(database.db, order.user_id)) ?? assert.fail('no such user');
const caller = { ...callerOf(order.user_id), tier };
const signal = new AbortController().signal;

async function chatOnce(): Promise<string> {
  try {
    return (await agents.runTurn(caller, { message: 'hello', signal }, () => {})).status;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    // Nothing was begun: as a client does after a 503.
    if (/timeout exceeded when trying to connect/.test(`${error}`)) return chatOnce();
    throw error;
  }
}
process.send?.('ready');
await new Promise((resolve) => process.once('message', resolve));
process.send?.(await Promise.all(Array.from({ length: order.chats }, chatOnce)));
await database.close();
await llm[Symbol.asyncDispose]();
process.disconnect?.();

import { isoTime } from '#core/clock/clock.ts';
import type { Caller } from '#core/http/caller.ts';
import type { Routes } from '#core/http/operation.ts';
import type { conversationsContract } from '#surfaces/conversations/contract.ts';
import { deleteConversation } from '#surfaces/conversations/delete.ts';
import { getConversation } from '#surfaces/conversations/get.ts';
import { listConversations } from '#surfaces/conversations/list.ts';
import { knownTools } from './agent-tools.ts';
import { answerInChat } from './answer.ts';
import { cancel } from './cancel.ts';
import { chat } from './chat.ts';
import type { agentContract } from './contract.ts';
import type { AgentsDeps } from './deps.ts';
import { getStatus } from './get-status.ts';
import { listModels } from './list-models.ts';
import { type Agent, runTurn } from './run-turn.ts';
import { setModel } from './set-model.ts';
import type { TurnDone, TurnEvent } from './turn.ts';
import { requestCancel } from './turns.ts';

/** The entry point of the agent: its operations, and its turns for other protocols. */
export interface Agents {
  routes: { agent: Routes<typeof agentContract>; conversations: Routes<typeof conversationsContract> };
  /**
   * Runs one turn. Throws a Problem if it cannot start, and otherwise resolves with the result, even if it failed.
   * Aborting the signal ends the model and what it runs.
   */
  runTurn(caller: Caller, asked: AskedTurn, onEvent: (event: TurnEvent) => void): Promise<TurnDone>;
  /** Ends a turn within a second, in whichever process it runs. Returns false if the user has no such running turn. */
  cancelTurn(userId: string, turnId: string): Promise<boolean>;
}

export interface AskedTurn {
  /** Default: a new conversation. */
  conversation_id?: string;
  message: string;
  model?: string;
  traceparent?: string;
  signal: AbortSignal;
}

export function openAgents(deps: AgentsDeps): Agents {
  const agent: Agent = { deps, tools: knownTools(deps) };
  return {
    routes: {
      agent: {
        chat: chat(agent),
        answer: answerInChat(deps),
        cancel: cancel(agent),
        getStatus: getStatus(agent),
        listModels: listModels(agent),
        setModel: setModel(agent),
      },
      conversations: {
        list: listConversations(agent),
        get: getConversation(agent),
        delete: deleteConversation(agent),
      },
    },
    runTurn: async (caller, { conversation_id, message, ...asked }, onEvent) => {
      const said = [{ role: 'user' as const, content: message }];
      const order = { ...asked, conversation_id: conversation_id ?? null, said };
      return (await runTurn(agent, caller, order, onEvent)).turn;
    },
    cancelTurn: (userId, turnId) => requestCancel(deps.database.db, userId, turnId, isoTime(deps.clock.now())),
  };
}

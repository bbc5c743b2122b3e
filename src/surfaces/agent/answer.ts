import { connectionsProblem } from '#connections/errors.ts';
import { readAnswer } from '#connections/questions/read-answer.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { CHAT_SCOPE } from './ask-in-chat.ts';
import type { agentContract } from './contract.ts';
import type { AgentsDeps } from './deps.ts';

/** POST /api/agents/core-agent/questions/{question_id} */
export const answerInChat =
  ({ questions }: Pick<AgentsDeps, 'questions'>): Handler<typeof agentContract.answer> =>
  async ({ params: { question_id }, body, caller: { user_id } }) => {
    const answer = readAnswer(body);
    if (await questions.answer({ user_id, scope: CHAT_SCOPE }, question_id, answer))
      return json({ action: answer.action });
    throw connectionsProblem('connections.not_found', 'No question with this id is waiting for an answer.', {
      reason: 'question',
    });
  };

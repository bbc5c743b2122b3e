import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { usableConnection } from '#connections/connections/usable-connection.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { QuestionAnswer } from '#core/mcp/questions.ts';
import type { questionsContract } from './contract.ts';

type Content = Extract<QuestionAnswer, { action: 'accept' }>['content'];

/** POST /api/sessions/connections/{id}/questions/{question_id} */
export const answerQuestion =
  ({ db, questions }: ConnectionsDeps): Handler<typeof questionsContract.answer> =>
  async ({ params: { id, question_id }, body: { action, content }, caller: { user_id } }) => {
    await usableConnection(db, { user_id, id });
    const answer: QuestionAnswer =
      action === 'accept'
        ? { action, content: (content ?? {}) as Content }
        : { action: action === 'decline' ? 'decline' : 'cancel' };
    if (await questions.answer({ user_id, connection_id: id }, question_id, answer)) return json({ action });
    throw connectionsProblem('connections.not_found', 'No question with this id is waiting for an answer.', {
      reason: 'question',
    });
  };

import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { usableConnection } from '#connections/connections/usable-connection.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { questionsContract } from './contract.ts';
import { connectionScope } from './question-desk.ts';
import { readAnswer } from './read-answer.ts';

/** POST /api/sessions/connections/{id}/questions/{question_id} */
export const answerQuestion =
  ({ db, questions }: ConnectionsDeps): Handler<typeof questionsContract.answer> =>
  async ({ params: { id, question_id }, body, caller: { user_id } }) => {
    await usableConnection(db, { user_id, id });
    const answer = readAnswer(body);
    if (await questions.answer({ user_id, scope: connectionScope(id) }, question_id, answer))
      return json({ action: answer.action });
    throw connectionsProblem('connections.not_found', 'No question with this id is waiting for an answer.', {
      reason: 'question',
    });
  };

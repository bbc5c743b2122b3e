import { CONNECTION_ID } from '#connections/connections/examples.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { AnswerBody } from './answer-body.ts';

/** The operations of questions: what a server asks a person in the middle of a call. */

export const questionsContract = {
  answer: operation({
    id: 'connections.questions.answer',
    method: 'POST',
    path: '/api/sessions/connections/{id}/questions/{question_id}',
    summary: 'Answer a question of a server',
    description:
      'Answers a `question` event of POST …/tools/call. The server gets the content. Do not send passwords or keys. A ' +
      'question waits for five minutes at most, and ends with its call.',
    access: 'jwt',
    params: Type.Object({
      id: Type.String({ minLength: 1, maxLength: 100 }),
      question_id: Type.String({ minLength: 1, maxLength: 100 }),
    }),
    examples: { id: CONNECTION_ID, question_id: 'b7f9c1c4-8d1e-4c0c-9a51-0f3f0a6e7f11' },
    body: AnswerBody,
    body_example: { action: 'accept', content: { harbour: 'Bremerhaven' } },
    answers: {
      200: jsonAnswer('The answer was passed on.', Type.Object({ action: AnswerBody.properties.action }), {
        action: 'accept',
      }),
    },
    problems: ['connections.not_found'],
  }),
} as const;

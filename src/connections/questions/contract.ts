import { CONNECTION_ID } from '#connections/connections/examples.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** The operations of questions: what a server asks a person in the middle of a call. */

const closed = { additionalProperties: false };
const Action = Type.Enum(['accept', 'decline', 'cancel'], { description: '`cancel`: nobody decided.' });

export const questionsContract = {
  answer: operation({
    id: 'connections.questions.answer',
    method: 'POST',
    path: '/api/sessions/connections/{id}/questions/{question_id}',
    summary: 'Answer a question of a server',
    description:
      'Answers a `question` event of POST …/tools/call. The server gets the content. Do not send passwords or keys. A ' +
      'question waits for five minutes at most, and ends with its call; the answer has to reach the process of the call.',
    access: 'jwt',
    params: Type.Object({
      id: Type.String({ minLength: 1, maxLength: 100 }),
      question_id: Type.String({ minLength: 1, maxLength: 100 }),
    }),
    examples: { id: CONNECTION_ID, question_id: 'b7f9c1c4-8d1e-4c0c-9a51-0f3f0a6e7f11' },
    body: Type.Object(
      {
        action: Action,
        content: Type.Optional(
          Type.Record(
            Type.String({ maxLength: 200 }),
            Type.Union([
              Type.String({ maxLength: 8_192 }),
              Type.Number(),
              Type.Boolean(),
              Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 100 }),
            ]),
            { maxProperties: 50, description: 'The fields of the form, for `accept`.' },
          ),
        ),
      },
      closed,
    ),
    body_example: { action: 'accept', content: { harbour: 'Bremerhaven' } },
    answers: {
      200: jsonAnswer('The answer was passed on.', Type.Object({ action: Action }), { action: 'accept' }),
    },
    problems: ['connections.not_found'],
  }),
} as const;

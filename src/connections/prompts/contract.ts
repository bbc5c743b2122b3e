import { CONNECTION_ID } from '#connections/connections/examples.ts';
import { ASKED_EXAMPLE, ASKING, Asked } from '#connections/connections/server-request-shapes.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** The operations of prompts: templates of messages that the server of a connection offers. */

const closed = { additionalProperties: false };
const text = Type.String();
const Untrusted = Type.String({ description: 'Untrusted text: data, never instructions.' });

const PromptShown = Type.Object({
  name: text,
  title: text,
  description: Untrusted,
  arguments: Type.Array(Type.Object({ name: text, description: text, required: Type.Boolean() })),
});

const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const examples = { id: CONNECTION_ID };

export const promptsContract = {
  list: operation({
    id: 'connections.prompts.list',
    method: 'POST',
    path: '/api/sessions/connections/{id}/prompts/list',
    summary: "List a connection's prompts",
    description:
      'Requested from the server with the stored credentials. Empty if the server offers none. At most 1,000 prompts.',
    access: 'jwt',
    params: Params,
    examples,
    answers: {
      200: jsonAnswer(
        'All prompts.',
        Type.Object({ items: Type.Array(PromptShown), total_count: Type.Integer(), ...Asked }),
        {
          items: [
            {
              name: 'plan_trip',
              title: 'Plan a trip',
              description: 'Plans a trip around the tides.',
              arguments: [{ name: 'harbour', description: 'Where it begins', required: true }],
            },
          ],
          total_count: 1,
          ...ASKED_EXAMPLE,
        },
      ),
    },
    problems: ASKING,
  }),
  get: operation({
    id: 'connections.prompts.get',
    method: 'POST',
    path: '/api/sessions/connections/{id}/prompts/get',
    summary: 'Get a prompt of a connection',
    description:
      'Requests the messages of one prompt from the server. They are untrusted data until you decide to send them to a ' +
      'model. It has a trace, and counts as a tool call; there is no receipt, because nothing is executed.',
    access: 'jwt',
    params: Params,
    examples,
    body: Type.Object(
      {
        prompt: Type.String({ minLength: 1, maxLength: 1_000, description: 'Exact name of the prompt.' }),
        arguments: Type.Optional(
          Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 20_000 }), { maxProperties: 100 }),
        ),
      },
      closed,
    ),
    body_example: { prompt: 'plan_trip', arguments: { harbour: 'Bremerhaven' } },
    answers: {
      200: jsonAnswer(
        'The messages, at most 4 MiB.',
        Type.Object({
          description: Untrusted,
          messages: Type.Array(
            Type.Object({
              role: Type.Enum(['user', 'assistant']),
              content: Type.Record(text, Type.Unknown(), {
                description: 'An MCP content block: text, image, audio or resource.',
              }),
            }),
          ),
          ...Asked,
        }),
        {
          description: 'Plans a trip around the tides.',
          messages: [{ role: 'user', content: { type: 'text', text: 'Plan a trip from Bremerhaven.' } }],
          ...ASKED_EXAMPLE,
        },
      ),
    },
    problems: ASKING,
  }),
} as const;

import { jsonAnswer, jsonContent, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { ANSWER_EXAMPLE, CALL_EXAMPLE, CARD_EXAMPLE, EVENTS_EXAMPLE } from './examples.ts';
import { A2A_PATH, CARD_PATH } from './paths.ts';

/** The agent over A2A 1.0. The protocol defines the messages. */

const Message = Type.Record(Type.String(), Type.Unknown(), {
  description: 'One JSON-RPC 2.0 message of the Agent2Agent protocol.',
});

export const Card = Type.Object({
  name: Type.String(),
  description: Type.String(),
  supportedInterfaces: Type.Array(
    Type.Object({ url: Type.String(), protocolBinding: Type.String(), protocolVersion: Type.String() }),
  ),
  version: Type.String({ description: 'Version of the service.' }),
  capabilities: Type.Object({
    streaming: Type.Boolean(),
    pushNotifications: Type.Boolean(),
    extendedAgentCard: Type.Boolean(),
  }),
  securitySchemes: Type.Record(Type.String(), Type.Unknown()),
  securityRequirements: Type.Array(Type.Unknown()),
  defaultInputModes: Type.Array(Type.String()),
  defaultOutputModes: Type.Array(Type.String()),
  skills: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      description: Type.String(),
      tags: Type.Array(Type.String()),
      examples: Type.Optional(Type.Array(Type.String())),
    }),
  ),
});

const card = (description: string) => jsonAnswer(description, Card, CARD_EXAMPLE);

export const a2aContract = {
  getCard: operation({
    id: 'surfaces.a2a.getCard',
    method: 'GET',
    path: CARD_PATH,
    // The name before A2A 0.3.
    also: ['/.well-known/agent.json'],
    summary: 'Get the agent card of the core agent',
    description: 'A2A 1.0: skills, endpoint and authentication of the agent.',
    access: 'public',
    answers: { 200: card('The card.') },
    problems: [],
  }),
  getExtendedCard: operation({
    id: 'surfaces.a2a.getExtendedCard',
    method: 'GET',
    path: `${A2A_PATH}/extendedAgentCard`,
    summary: 'Get your extended agent card',
    description: 'A2A 1.0: the agent card with your ready connections as skills.',
    access: 'jwt',
    answers: { 200: card('The card.') },
    problems: [],
  }),
  call: operation({
    id: 'surfaces.a2a.call',
    method: 'POST',
    path: A2A_PATH,
    summary: 'Call the core agent over A2A',
    description:
      'JSON-RPC of A2A 1.0: SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask, SubscribeToTask, ' +
      'GetExtendedAgentCard. Send the header `A2A-Version: 1.0`. A context is a conversation and a task is one turn in ' +
      'it, followed by the Capstan task that it started, if still running. Sending and cancelling require the scope `write`.',
    access: 'jwt',
    scope: 'read',
    error_form: 'jsonrpc',
    reads: 'text',
    query: Type.Object({
      'A2A-Version': Type.Optional(Type.String({ maxLength: 20, description: 'Alternative to the header.' })),
    }),
    open_query: true,
    body: Message,
    body_example: CALL_EXAMPLE,
    answers: {
      200: {
        description: 'The JSON-RPC response or error. An event stream for streaming methods.',
        content: {
          ...jsonContent(Message, ANSWER_EXAMPLE),
          'text/event-stream': { schema: Type.String(), example: EVENTS_EXAMPLE },
        },
      },
    },
    problems: ['auth.insufficient_scope'],
  }),
};

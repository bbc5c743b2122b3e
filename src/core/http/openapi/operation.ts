import type { TObject, TSchema } from 'typebox';
import { defined } from '#core/defined.ts';
import { bodyType } from '../example-request.ts';
import type { Answer, OperationBase } from '../operation.ts';
import { bodyMayBeLeftOut } from '../read-body.ts';
import { gateParameters, headersOf } from './gates.ts';
import { type ProblemNotes, problemMedia, problemResponses } from './problems.ts';
import { securityOf } from './security.ts';
import { type Node, tagOf } from './shape.ts';

/** Renders one operation of the contract as an OpenAPI operation. */

type UseSchema = (schema: TSchema) => Node;

export function describeOperation(operation: OperationBase, problems: ProblemNotes, use: UseSchema): Node {
  const parameters = [
    ...parametersOf('path', operation.params, operation, use),
    ...parametersOf('query', operation.query, operation, use),
    ...gateParameters(operation),
  ];
  const answers = Object.entries(operation.answers).map(([status, answer]) => [
    status,
    { ...answerOf(answer, use), ...headersOf(operation, Number(status)) },
  ]);
  return {
    operationId: operation.id,
    tags: [tagOf(operation)],
    summary: operation.summary,
    description: operation.description,
    security: securityOf(operation),
    ...defined({ 'x-signs': operation.signs, 'x-confirm-window': operation.confirm_window }),
    ...defined({
      parameters: parameters.length === 0 ? undefined : parameters,
      requestBody: operation.body === undefined ? undefined : bodyOf(operation, operation.body, use),
    }),
    responses: mergeByStatus(Object.fromEntries(answers), problemResponses(operation, problems), (status) =>
      problemMedia(operation, status, problems),
    ),
  };
}

function parametersOf(
  place: 'path' | 'query',
  of: TObject | undefined,
  operation: OperationBase,
  use: UseSchema,
): Node[] {
  const required: readonly string[] = of?.required ?? [];
  return Object.entries((of?.properties ?? {}) as Record<string, TSchema>).map(([name, schema]) => {
    const { description, ...rest } = use(schema);
    return {
      name,
      in: place,
      // A value with a default is optional, even if the schema library marks it as required.
      ...defined({
        required: place === 'path' || (required.includes(name) && !('default' in rest)) ? true : undefined,
      }),
      description: describeParameter(name, description, operation),
      schema: rest,
      ...defined({ example: operation.examples?.[name] === undefined ? undefined : operation.examples[name] }),
    };
  });
}

function describeParameter(name: string, description: unknown, { wildcard }: OperationBase): string {
  const text = typeof description === 'string' ? description : sentence(name);
  return name === wildcard ? `${text} Slashes may be sent unencoded or as \`%2F\`.` : text;
}

const sentence = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}.`;

const bodyOf = (operation: OperationBase, body: TSchema, use: UseSchema): Node => ({
  // A body with only optional fields is optional.
  ...defined({ required: operation.reads !== 'text' && bodyMayBeLeftOut(body) ? undefined : true }),
  content: {
    [bodyType(operation)]: {
      schema: use(body),
      ...defined({ example: operation.body_example }),
    },
  },
});

function answerOf({ description, content }: Answer, use: UseSchema): Node {
  const media = Object.entries(content).map(([type, { schema, example }]) => [
    type,
    { schema: use(schema), ...defined({ example }) },
  ]);
  return { description, ...defined({ content: media.length === 0 ? undefined : Object.fromEntries(media) }) };
}

/** A status can have both a success response and problems, such as 503 of the readiness check. */
function mergeByStatus(
  answers: Record<string, Node>,
  problems: Record<string, Node>,
  mediaOf: (status: number) => Node,
): Record<string, Node> {
  const merged = { ...answers };
  for (const [status, problem] of Object.entries(problems)) {
    const answer = merged[status];
    merged[status] =
      answer === undefined
        ? problem
        : {
            ...answer,
            description: [answer.description, problem.description].filter((value) => value !== undefined).join('\n\n'),
            content: { ...(answer.content as Node), ...mediaOf(Number(status)) },
          };
  }
  return merged;
}

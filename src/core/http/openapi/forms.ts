import type { ErrorForm } from '../error-form.ts';
import type { ProblemBody } from '../problem-body.ts';
import type { Node } from './shape.ts';

/** OpenAPI schemas of the formats in error-form.ts, for operations whose errors have the format of another standard. */

export type ProblemExample = ProblemBody;

const SCHEMAS: Record<ErrorForm, Node> = {
  oauth: {
    type: 'object',
    description: 'RFC 6749, section 5.2.',
    required: ['error'],
    properties: { error: { type: 'string' }, error_description: { type: 'string' } },
  },
  registry: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
  jsonrpc: {
    type: 'object',
    description: 'JSON-RPC 2.0 error. `data` contains the problem details, if any.',
    required: ['jsonrpc', 'id', 'error'],
    properties: {
      jsonrpc: { type: 'string', const: '2.0' },
      id: { type: ['string', 'integer', 'null'] },
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} },
      },
    },
  },
};

const EXAMPLES: Record<ErrorForm, (example: ProblemExample) => Node> = {
  oauth: ({ detail }) => ({ error: 'invalid_request', error_description: detail }),
  registry: ({ detail }) => ({ error: detail }),
  jsonrpc: (example) => ({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32000, message: example.detail, data: example },
  }),
};

const nameOf = (form: ErrorForm): string => `${form.charAt(0).toUpperCase()}${form.slice(1)}Error`;

export const formMedia = (form: ErrorForm, example: ProblemExample): Node => ({
  schema: { $ref: `#/components/schemas/${nameOf(form)}` },
  example: EXAMPLES[form](example),
});

/** The schemas of the formats that the operations use. */
export const formSchemas = (operations: readonly { error_form?: ErrorForm }[]): Node =>
  Object.fromEntries(
    (Object.keys(SCHEMAS) as ErrorForm[])
      .filter((form) => operations.some((operation) => operation.error_form === form))
      .map((form) => [nameOf(form), SCHEMAS[form]]),
  );

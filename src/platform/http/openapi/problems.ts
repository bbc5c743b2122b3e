import { PROBLEM_STATUS, type ProblemKind } from '../../problem.ts';
import type { ErrorForm } from '../error-form.ts';
import type { OperationBase } from '../operation.ts';
import { titleOf } from '../problem-body.ts';
import { gateProblems, headersOf } from './gates.ts';
import type { Node } from './shape.ts';

/** The problem answers of an operation, grouped by status. */

export interface ProblemNote {
  kind: ProblemKind;
  /** One sentence: what the code means. */
  meaning: string;
}
export type ProblemNotes = Record<string, ProblemNote>;

/** Codes that follow from an operation's input, so that the contract need not repeat them. */
const impliedProblems = ({ params, body }: OperationBase): string[] => [
  'http.invalid_input',
  ...(params === undefined ? [] : ['http.malformed_path']),
  ...(body === undefined ? [] : ['http.malformed_json', 'http.unsupported_media_type', 'http.body_too_large']),
];

export const problemsOf = (operation: OperationBase): string[] => [
  ...new Set([...impliedProblems(operation), ...gateProblems(operation), ...operation.problems]),
];

export const PROBLEM_SCHEMA: Node = {
  type: 'object',
  description: 'RFC 9457. A code may add members of its own; its page says which.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'The page that explains the code.' },
    title: { type: 'string', description: 'The kind of problem in words.' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'What is wrong with this request, and what to do.' },
    code: {
      type: 'string',
      pattern: '^[a-z]+\\.[a-z0-9_]+$',
      description: '`<feature>.<name>`; made to be matched on.',
    },
    request_id: { type: 'string', description: 'Also in the header `X-Request-Id`.' },
    errors: {
      type: 'array',
      description: 'The places in the input that do not fit.',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'A JSON Pointer, such as `/limit`.' },
          detail: { type: 'string', description: 'What is allowed there.' },
        },
      },
    },
  },
};

const media = (example: Node): Node => ({
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example },
});

/** What any request may get, whatever the operation. */
const ANY_PROBLEM: Node = {
  description: 'Any other problem, such as a request that is no HTTP, takes too long, or meets a bug of ours.',
  content: media(exampleOf('http.internal', { kind: 'internal', meaning: 'Something went wrong here.' })),
};

/** Each status refers to the answer that all operations share, and names the codes of this one. */
export function problemResponses(operation: OperationBase, notes: ProblemNotes): Record<string, Node> {
  const responses: Record<string, Node> = {};
  for (const [status, codes] of codesByStatus(operation, notes))
    responses[status] = {
      $ref: `#/components/responses/${answerName(operation, status)}`,
      description: codes.map((code) => `\`${code}\``).join(', '),
    };
  return { ...responses, default: { $ref: '#/components/responses/Problem' } };
}

/** The same in full, for a status that is also a success answer. */
export function problemMedia(operation: OperationBase, status: number, notes: ProblemNotes): Node {
  const [first] = codesByStatus(operation, notes).find(([it]) => it === status)?.[1] ?? [];
  return first === undefined ? {} : contentOf(operation, exampleOf(first, notes[first] as ProblemNote));
}

/** The answers that operations refer to: one for each status and form, with the meaning of every code it may carry. */
export function problemAnswers(operations: readonly OperationBase[], notes: ProblemNotes): Record<string, Node> {
  const answers = new Map<string, { of: OperationBase; status: number; codes: Set<string>; headers: Node }>();
  for (const operation of operations)
    for (const [status, codes] of codesByStatus(operation, notes)) {
      const name = answerName(operation, status);
      const known = answers.get(name);
      const headers = { ...known?.headers, ...headersOf(operation, status) };
      answers.set(name, { of: operation, status, codes: new Set([...(known?.codes ?? []), ...codes]), headers });
    }
  const described = [...answers]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, answer]) => [name, inFull(answer, notes)]);
  return { Problem: ANY_PROBLEM, ...Object.fromEntries(described) };
}

function inFull(
  { of, codes, headers }: { of: OperationBase; codes: Set<string>; headers: Node },
  notes: ProblemNotes,
): Node {
  const all = [...codes].toSorted();
  const [first] = all as [string];
  return {
    description: all.map((code) => `- \`${code}\`: ${notes[code]?.meaning}`).join('\n'),
    ...headers,
    content: contentOf(of, exampleOf(first, notes[first] as ProblemNote)),
  };
}

function codesByStatus(operation: OperationBase, notes: ProblemNotes): [status: number, codes: string[]][] {
  const by_status = new Map<number, string[]>();
  for (const code of problemsOf(operation)) {
    const note = notes[code];
    if (note === undefined) throw new Error(`${operation.id} names the problem ${code}, which is not declared`);
    const status = PROBLEM_STATUS[note.kind];
    by_status.set(status, [...(by_status.get(status) ?? []), code]);
  }
  return [...by_status].toSorted(([a], [b]) => a - b);
}

/** After the first kind of the status: `NotFound`, or `OauthNotFound` in the form of another standard. */
function answerName({ error_form = '' }: OperationBase, status: number): string {
  const [kind = ''] = Object.entries(PROBLEM_STATUS).find(([, it]) => it === status) ?? [];
  return [error_form, ...kind.split('_')].map((it) => it.charAt(0).toUpperCase() + it.slice(1)).join('');
}

const contentOf = ({ error_form: form }: OperationBase, example: ProblemExample): Node =>
  form === undefined ? media(example) : { 'application/json': FORMS[form](example) };

/** What error-form.ts writes. */
const FORMS: Record<ErrorForm, (example: ProblemExample) => Node> = {
  oauth: ({ detail }) => ({
    schema: {
      type: 'object',
      description: 'RFC 6749, section 5.2.',
      required: ['error'],
      properties: { error: { type: 'string' }, error_description: { type: 'string' } },
    },
    example: { error: 'invalid_request', error_description: detail },
  }),
  registry: ({ detail }) => ({
    schema: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
    example: { error: detail },
  }),
  jsonrpc: (example) => ({
    schema: {
      type: 'object',
      description: 'JSON-RPC 2.0, with the problem as `data` where it is one of ours.',
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
    example: { jsonrpc: '2.0', id: null, error: { code: -32000, message: example.detail, data: example } },
  }),
};

type ProblemExample = ReturnType<typeof exampleOf>;

function exampleOf(code: string, { kind, meaning }: ProblemNote) {
  return {
    type: `/docs/errors/${code}`,
    title: titleOf(kind),
    status: PROBLEM_STATUS[kind],
    detail: meaning,
    code,
    request_id: '019a8c1e-7f00-7000-8000-3b1f6f4f9a10',
  };
}

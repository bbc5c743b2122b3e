import { defined } from '#core/defined.ts';
import { PROBLEM_STATUS, type ProblemKind } from '#core/problem/problem.ts';
import { answersEvents, type OperationBase } from '../operation.ts';
import { titleOf } from '../problem-body.ts';
import { formMedia, type ProblemExample } from './forms.ts';
import { gateProblems, headersOf } from './gates.ts';
import type { Node } from './shape.ts';

/** The problem responses of an operation, grouped by status. */

interface ProblemNote {
  kind: ProblemKind;
  /** One sentence that explains the code. */
  meaning: string;
}
export type ProblemNotes = Record<string, ProblemNote>;

/** Error codes that follow from the input of an operation, so that the contract does not repeat them. */
const impliedProblems = ({ body, at_once, answers }: OperationBase): string[] => [
  'http.invalid',
  ...(answersEvents({ answers }) ? ['http.limit_exceeded'] : []),
  ...(at_once === undefined ? [] : ['http.limit_exceeded', 'http.unavailable']),
  ...(body === undefined ? [] : ['http.unsupported_media_type', 'http.content_too_large']),
];

export const problemsOf = (operation: OperationBase): string[] => [
  ...new Set([...impliedProblems(operation), ...gateProblems(operation), ...operation.problems]),
];

export const PROBLEM_SCHEMA: Node = {
  type: 'object',
  description: 'Problem details (RFC 9457). A code may add members; its documentation page lists them.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'URL of the documentation page for the code.' },
    title: { type: 'string', description: 'Short summary of the problem type.' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'What went wrong in this request and how to fix it.' },
    code: {
      type: 'string',
      pattern: '^[a-z]+\\.[a-z0-9_]+$',
      description: 'Machine-readable code: `<area>.<name>`.',
    },
    request_id: { type: 'string', description: 'Request id, also in the `X-Request-Id` header.' },
    reason: {
      type: 'string',
      pattern: '^[a-z0-9_]+$',
      description: 'Which of the reasons on the page of the code it is. Present if the code has reasons.',
    },
    retry_after: { type: 'number', minimum: 0, description: 'Seconds to wait before retrying, as in `Retry-After`.' },
    errors: {
      type: 'array',
      description: 'Invalid fields of the input.',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'JSON Pointer to the field, such as `/limit`.' },
          detail: { type: 'string', description: 'Constraint that the field violates.' },
        },
      },
    },
  },
};

const media = (example: ProblemExample): Node => ({
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example },
});

/** Problems that any request can cause, whatever the operation. */
const ANY_PROBLEM: Node = {
  description: 'Any other error, such as a malformed request, a timeout or an internal error.',
  content: media(exampleOf('http.internal', { kind: 'internal', meaning: 'Internal error.' })),
};

/** Each status refers to a response under `components`. The codes are listed if the operation names additional ones. */
export function problemResponses(operation: OperationBase, notes: ProblemNotes): Record<string, Node> {
  const responses: Record<string, Node> = {};
  for (const { status, codes, name, is_common } of problemGroups(operation, notes))
    responses[status] = {
      $ref: `#/components/responses/${name}`,
      ...defined({ description: is_common ? undefined : codes.map((code) => `\`${code}\``).join(', ') }),
    };
  return { ...responses, default: { $ref: '#/components/responses/Problem' } };
}

/** The same inline, for a status that also has a success response. */
export function problemMedia(operation: OperationBase, status: number, notes: ProblemNotes): Node {
  const [first] = problemGroups(operation, notes).find((problemGroup) => problemGroup.status === status)?.codes ?? [];
  return first === undefined ? {} : contentOf(operation, exampleOf(first, notes[first] as ProblemNote));
}

/** Returns the responses that operations refer to, each with the meaning of every code it can have. */
export function problemAnswers(operations: readonly OperationBase[], notes: ProblemNotes): Record<string, Node> {
  const answers = new Map<string, { of: OperationBase; codes: string[]; headers: Node }>();
  for (const of of operations)
    for (const { status, codes, name, is_common } of problemGroups(of, notes)) {
      const known = answers.get(name);
      if (is_common && known !== undefined && known.codes.join() !== codes.join())
        throw new Error(`${name} has conflicting definitions: ${known.codes} and ${codes}`);
      answers.set(name, {
        of,
        codes: [...new Set([...(known?.codes ?? []), ...codes])],
        headers: { ...known?.headers, ...headersOf(of, status) },
      });
    }
  const sorted = [...answers].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const described = sorted.map(([name, { of, codes, headers }]) => [
    name,
    { description: meaningsOf(codes, notes), ...headers, content: contentOf(of, exampleOf(...firstOf(codes, notes))) },
  ]);
  return { Problem: ANY_PROBLEM, ...Object.fromEntries(described) };
}

const meaningsOf = (codes: string[], notes: ProblemNotes): string =>
  codes.map((code) => `- \`${code}\`: ${notes[code]?.meaning}`).join('\n');

const firstOf = ([first = '']: string[], notes: ProblemNotes) => [first, notes[first] as ProblemNote] as const;

interface ProblemGroup {
  status: number;
  codes: string[];
  /** Name of the response under `components`. */
  name: string;
  /** True if all codes follow from the input and the gates of the operation. */
  is_common: boolean;
}

function problemGroups(operation: OperationBase, notes: ProblemNotes): ProblemGroup[] {
  const byStatus = new Map<number, string[]>();
  for (const code of problemsOf(operation)) {
    const note = notes[code];
    if (note === undefined) throw new Error(`${operation.id} refers to the undeclared problem ${code}`);
    const status = PROBLEM_STATUS[note.kind];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const common = new Set([...impliedProblems(operation), ...gateProblems(operation)]);
  return [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, codes]) => {
      const is_common = codes.every((code) => common.has(code));
      return { status, codes, is_common, name: answerName(operation, status, is_common ? codes : null) };
    });
}

/** Suffixes that distinguish sets of common codes with the same status. */
const MARKS: Record<string, string> = {
  'auth.rpc_required': 'Chain',
  'auth.signature_required': 'Signature',
  'auth.sign_in_required': 'Recent',
  'auth.token_required': 'Token',
  'auth.wallet_required': 'Wallet',
  'http.forbidden': 'Own',
  'http.idempotency_conflict': 'Key',
  'http.idempotency_key_reused': 'Key',
};

/**
 * Derives the name from the first kind of the status: `NotFound`, `OauthNotFound` in the format of another standard,
 * `ForbiddenWallet` for common codes.
 */
function answerName({ error_form }: OperationBase, status: number, common: string[] | null): string {
  const [kind = ''] = Object.entries(PROBLEM_STATUS).find(([, value]) => value === status) ?? [];
  const base = [error_form ?? '', ...kind.split('_')].map(capital).join('');
  if (common === null) return base;
  const marks = common.map((code) => MARKS[code] ?? '').join('');
  return marks === '' ? `Plain${base}` : `${base}${marks}`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const contentOf = ({ error_form: form }: OperationBase, example: ProblemExample): Node =>
  form === undefined ? media(example) : { 'application/json': formMedia(form, example) };

function exampleOf(code: string, { kind, meaning }: ProblemNote): ProblemExample {
  return {
    type: `/docs/errors/${code}`,
    title: titleOf(kind),
    status: PROBLEM_STATUS[kind],
    detail: meaning,
    code,
    request_id: '019a8c1e-7f00-7000-8000-3b1f6f4f9a10',
  };
}

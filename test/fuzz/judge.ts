import { OPERATIONS } from '#app/contract.ts';
import { ERRORS } from '#app/problems.ts';
import { problemsOf } from '#core/http/openapi/problems.ts';
import type { OperationBase } from '#core/http/operation.ts';
import { prefersPage } from '#core/http/pages.ts';
import { pathMatcher } from '#core/http/path.ts';
import { compileSchema, type Validate } from '#core/http/validate.ts';
import { PROBLEM_STATUS } from '#core/problem/problem.ts';
import { judgeMessages } from './judge-messages.ts';
import type { FuzzRequest } from './rest-requests.ts';
import type { Answered } from './send.ts';

/** What is wrong with an answer by the contract; nothing where the list is empty. */

const PATHS = OPERATIONS.flatMap((operation) =>
  [operation.path, ...(operation.also ?? [])].map((path) => ({ operation, matches: pathMatcher(operation, path) })),
);

/** What any request may get. */
const GENERAL = new Set([
  'http.not_found',
  'http.method_not_allowed',
  'http.invalid',
  'http.headers_too_large',
  'http.content_too_large',
  'http.url_too_long',
  'http.unsupported_media_type',
  'database.unavailable',
  // The last: of an account that another request has deleted at this moment.
  'database.conflict',
  'users.not_found',
]);

export function judge(request: FuzzRequest, answered: Answered): string[] {
  const { status, headers } = answered;
  const found: string[] = [];
  if (headers['x-request-id'] === undefined) found.push('no x-request-id');
  if (headers['x-content-type-options'] !== 'nosniff') found.push('no nosniff');
  const operations = operationsAt(request);
  // What they lack is looked for in the log.
  if (request.method === 'HEAD' || request.method === 'OPTIONS') return found;
  if (status >= 500) found.push(...judgeOutage(operations, answered));
  if (status >= 400) return [...found, ...judgeRefusal(operations, request, answered)];
  return [...found, ...judgeSuccess(operations, request, answered)];
}

function operationsAt({ method, target }: FuzzRequest): OperationBase[] {
  const path = target.split('?', 1)[0] as string;
  const asked = method === 'HEAD' ? 'GET' : method;
  return PATHS.filter(({ operation, matches }) => {
    try {
      return operation.method === asked && matches(path) !== null;
    } catch {
      return true;
    }
  }).map((path) => path.operation);
}

/** Only those that the contract names, and never a bug of ours. */
function judgeOutage(operations: OperationBase[], { status, body }: Answered): string[] {
  const code = codeOf(body);
  const isNamed = operations.some((operation) => problemsOf(operation).includes(code)) || GENERAL.has(code);
  return isNamed && code !== 'http.internal' ? [] : [`${status} ${code}`];
}

function codeOf(body: Buffer): string {
  const said = parsed(body) as { code?: unknown; error?: { data?: { code?: unknown } } } | undefined;
  return `${said?.code ?? said?.error?.data?.code ?? codeOfPage(`${body}`) ?? ''}`;
}

/** What a page about a failure leads to. */
const codeOfPage = (page: string): string | undefined => /href="\/docs\/errors\/([\w.]+)(?:#\w+)?"/.exec(page)?.[1];

function judgeRefusal(
  operations: OperationBase[],
  request: FuzzRequest,
  { status, headers, body }: Answered,
): string[] {
  const type = `${headers['content-type']}`;
  if (type.startsWith('text/html') && prefersPage(request)) return judgePage(operations, status, `${body}`);
  const said = parsed(body) as Record<string, unknown> | undefined;
  if (type === 'application/problem+json') return judgeProblem(operations, status, said ?? {});
  const form = operations.find((operation) => operation.error_form !== undefined)?.error_form;
  if (form === 'jsonrpc') return judgeMessages(said === undefined ? [] : [said]);
  const hasError = typeof said?.error === 'string';
  if (form === 'oauth') return hasError ? [] : [`no error of OAuth: ${body}`];
  if (form === 'registry') return hasError ? [] : [`no error of the registry: ${body}`];
  // A route may have taken what the contract has no path for, such as one with an empty part.
  if (operations.length === 0 && hasError) return [];
  return operations.some(hasPages) && type.startsWith('text/html') ? [] : [`${status} as ${type}`];
}

function judgeProblem(operations: OperationBase[], status: number, problem: Record<string, unknown>): string[] {
  const { code, status: told, request_id, detail } = problem;
  return [
    ...judgeCode(operations, `${code}`, status),
    ...(told === status ? [] : [`${told} as ${status}`]),
    ...(typeof request_id === 'string' && typeof detail === 'string' ? [] : ['members are missing']),
  ];
}

function judgeCode(operations: OperationBase[], code: string, status: number): string[] {
  const kind = ERRORS[code]?.kind;
  // A route may have taken what the contract has no path for, such as one with an empty part.
  const isNobodys = operations.length === 0 && code === 'http.invalid';
  const isNamed =
    isNobodys || GENERAL.has(code) || operations.some((operation) => problemsOf(operation).includes(code));
  return [
    ...(kind !== undefined && PROBLEM_STATUS[kind] === status ? [] : [`${code} as ${status}`]),
    ...(isNamed ? [] : [`${code} is not named by ${operations.map((operation) => operation.id).join(', ')}`]),
  ];
}

/** Clients that prefer HTML get a page that links to the error code; operations whose own answers are pages name none. */
function judgePage(operations: OperationBase[], status: number, page: string): string[] {
  const code = codeOfPage(page);
  if (code !== undefined) return judgeCode(operations, code, status);
  return operations.some(hasPages) ? [] : ['a page without a code'];
}

const hasPages = ({ path, answers }: OperationBase): boolean =>
  Object.values(answers).some(({ content }) => path.startsWith('/oauth/') || 'text/html' in content);

const checks = new Map<object, Validate>();

function judgeSuccess(operations: OperationBase[], request: FuzzRequest, answered: Answered): string[] {
  const { status, headers, body } = answered;
  if (status === 304 && request.headers['if-none-match'] !== undefined) return [];
  const named = operations.flatMap(({ answers }) =>
    status in answers ? [answers[status as keyof typeof answers]] : [],
  );
  if (named.length === 0)
    return [`${status} is not named by ${operations.map((operation) => operation.id).join(', ')}`];
  const type = `${headers['content-type'] ?? ''}`.split(';', 1)[0] as string;
  const contents = named.flatMap((answer) => (answer === undefined ? [] : [answer.content]));
  if (contents.some((content) => Object.keys(content).length === 0) || status >= 300) return [];
  const schemas = contents.flatMap((content) =>
    type in content || '*/*' in content ? [content[type] ?? content['*/*']] : [],
  );
  if (schemas.length === 0) return [`${status} as ${type}`];
  if (RPC.test(request.target) && request.method === 'POST')
    return judgeMessages(messagesIn(type, body), answered.cut || type === EVENTS);
  if (!/[/+]json$/.test(type)) return [];
  const value = parsed(body);
  if (value === undefined) return ['the body is no JSON'];
  const misfits = schemas.map((schema) => checkOf(schema?.schema as object)(value));
  return misfits.some((misfit) => misfit.length === 0)
    ? []
    : (misfits[0] ?? []).map((misfit) => `answer ${misfit.pointer} ${misfit.detail}`);
}

function checkOf(schema: object): Validate {
  const check = checks.get(schema) ?? compileSchema(schema as never);
  checks.set(schema, check);
  return check;
}

const RPC = /^\/(mcp\/jsonrpc|a2a\/core-agent)(\?|$)/;
const EVENTS = 'text/event-stream';

const messagesIn = (type: string, body: Buffer): unknown[] =>
  type === EVENTS ? linesOf(body, 'data: ').map((line) => parsed(Buffer.from(line))) : [parsed(body)];

/** Of events: ended by LF, whatever else ends lines elsewhere. */
const linesOf = (body: Buffer, name: string): string[] =>
  body
    .toString()
    .split('\n')
    .flatMap((line) => (line.startsWith(name) ? [line.slice(name.length)] : []));

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

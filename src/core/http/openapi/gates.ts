import type { OperationBase } from '../operation.ts';
import type { Node } from './shape.ts';

/** What the gates add to the contract of an operation: problems, a parameter and response headers. */

const CREDENTIAL = ['auth.token_required', 'auth.token_invalid', 'auth.insufficient_scope', 'users.forbidden'];
const STEP_UP = [
  'auth.signature_required',
  'auth.signature_invalid',
  'auth.wallet_required',
  'auth.rpc_required',
  'auth.rpc_failed',
];
const REPLAYS = ['http.idempotency_conflict', 'http.idempotency_key_reused', 'http.limit_exceeded'];

export function gateProblems(operation: OperationBase): string[] {
  const { access, own, limit, for_operators } = operation;
  return [
    ...(limit === undefined ? [] : ['http.limit_exceeded']),
    ...(access === 'public' ? [] : access === 'optional' ? CREDENTIAL.slice(1) : CREDENTIAL),
    ...(for_operators === true ? ['http.not_found'] : []),
    ...(own === undefined ? [] : ['http.forbidden']),
    ...(access === 'sensitive' || access === 'fresh' ? STEP_UP : []),
    ...(access === 'fresh' ? ['auth.sign_in_required'] : []),
    ...(takesKey(operation) ? REPLAYS : []),
  ];
}

const takesKey = ({ access, creates }: OperationBase): boolean => creates === true && access !== 'public';

export const gateParameters = (operation: OperationBase): Node[] => (takesKey(operation) ? [IDEMPOTENCY_KEY] : []);

const IDEMPOTENCY_KEY: Node = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Unique key for this request. A retry with the same key within 24 hours returns the first response ' +
    'instead of repeating the operation.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  example: '019a8c1e-7f00-7000-8000-3b1f6f4f9a10',
};

/** Response headers by their name under `components`. */
const GATE_HEADERS: Record<string, Node> = {
  RateLimit: {
    description: 'Remaining requests (`r`) and seconds until the limit resets (`t`).',
    schema: { type: 'string' },
    example: '"email";r=29;t=42',
  },
  'RateLimit-Policy': {
    description: 'Rate limit: `q` requests per `w` seconds.',
    schema: { type: 'string' },
    example: '"email";q=30;w=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  'Idempotent-Replayed': {
    description: '`true` if the response was replayed for a repeated `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
};

const COUNTED = ['RateLimit', 'RateLimit-Policy'];

/** Returns the names of headers that a response with this status may have. */
function gateHeaders(operation: OperationBase, status: number): string[] {
  const { limit, problems } = operation;
  if (status === 429) return [...COUNTED, 'Retry-After'];
  const replayed = takesKey(operation);
  if (status === 409) return replayed ? ['Retry-After'] : [];
  if (status >= 300) return [];
  const isCounted = limit !== undefined || problems.includes('users.quota_exceeded');
  return [...(isCounted ? COUNTED : []), ...(replayed ? ['Idempotent-Replayed'] : [])];
}

/** Returns the `headers` member of a response, or nothing. */
export function headersOf(operation: OperationBase, status: number): Node {
  const names = gateHeaders(operation, status);
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
}

/** Returns the headers that any response refers to. */
export function usedHeaders(paths: Node): Node {
  const text = JSON.stringify(paths);
  const used = Object.entries(GATE_HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`));
  return used.length === 0 ? {} : { headers: Object.fromEntries(used) };
}

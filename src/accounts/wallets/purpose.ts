import { accountsProblem } from '#accounts/errors.ts';
import { coreProblem } from '#core/errors.ts';
import type { OperationBase } from '#core/http/operation.ts';
import { pathMatcher, targetOf } from '#core/http/path.ts';
import type { Problem } from '#core/problem/problem.ts';

/**
 * The purpose of a signed challenge. The signed text states it, the row stores it, and each use compares the row with
 * its request. A signature for signing in confirms no request, and vice versa.
 */
export type Purpose =
  | { kind: 'sign_in' }
  /** One of the requests that the API specification lists as sensitive, whose flow cannot name the request. */
  | { kind: 'sensitive'; user_id: string }
  | { kind: 'request'; user_id: string; operation: string; target: string };

/** The `purpose` of `POST /api/wallets/challenge`. */
export interface AskedPurpose {
  operation: string;
  target?: string;
}

export const SIGN_IN = 'accounts.wallets.verify';
/** Also signed by the wallet to link. */
export const LINK = 'accounts.wallets.link';

/**
 * The sensitive operations of the API specification, whose clients request a challenge by address and type only. A
 * challenge requested with a token but without a purpose confirms one of these, and its text lists them all. Every
 * other operation must be named.
 */
export const UNNAMED_OPERATIONS: readonly string[] = [
  'accounts.users.lookUp',
  'accounts.users.get',
  'accounts.apiKeys.list',
  'accounts.apiKeys.create',
  'runtime.harnesses.list',
  'runtime.harnesses.create',
  'runtime.harnesses.get',
  'runtime.harnesses.update',
  'runtime.memory.list',
  'runtime.memory.write',
  'runtime.memory.get',
  'runtime.memory.update',
  'runtime.context.get',
  'runtime.context.update',
  'connections.credentials.store',
];

/** Enough to read a text and confirm. Challenges for signing in are valid for CHALLENGE_MS. */
export const CONFIRMATION_MS = 120_000;

/**
 * @throws Problem 400 `http.invalid` (`input`) if no operation accepts such a signature, or the target is not its path;
 *   401 `auth.token_required` (through `needsToken`) if the purpose is a request and nobody is signed in.
 */
export function purposeOf(
  operations: readonly OperationBase[],
  asked: AskedPurpose | undefined,
  user_id: string | null,
  needsToken: () => Problem,
): Purpose {
  if (asked === undefined) return user_id === null ? { kind: 'sign_in' } : { kind: 'sensitive', user_id };
  if (asked.operation === SIGN_IN) return { kind: 'sign_in' };
  const operation = operations.find(({ id }) => id === asked.operation);
  if (operation === undefined || !(operation.access === 'sensitive' || operation.access === 'fresh'))
    throw invalid('/purpose/operation', `must be ${SIGN_IN} or an operation that requires a wallet signature`);
  if (user_id === null) throw needsToken();
  return { kind: 'request', user_id, operation: operation.id, target: readTarget(operation, asked.target) };
}

function readTarget(operation: OperationBase, given: string | undefined): string {
  if (given === undefined && operation.params === undefined) return targetOf(operation, {});
  const params = given === undefined ? null : pathMatcher(operation, operation.path)(given);
  if (params === null) throw invalid('/purpose/target', `must be the path of the request: ${operation.path}`);
  return targetOf(operation, params);
}

const invalid = (pointer: string, detail: string): Problem =>
  coreProblem('http.invalid', `Invalid challenge purpose: ${pointer} ${detail}.`, {
    reason: 'input',
    errors: [{ pointer, detail }],
  });

/** The request that a signature is to confirm. */
interface Confirmed {
  user_id: string;
  operation: string;
  target: string;
}

/** The columns of a purpose in `challenges`. */
export interface PurposeColumns {
  user_id: string | null;
  operation: string | null;
  target: string | null;
}

export function columnsOf(purpose: Purpose): PurposeColumns {
  if (purpose.kind === 'sign_in') return { user_id: null, operation: null, target: null };
  if (purpose.kind === 'sensitive') return { user_id: purpose.user_id, operation: null, target: null };
  const { user_id, operation, target } = purpose;
  return { user_id, operation, target };
}

/** @throws Problem 401 `auth.signature_invalid` (`purpose`) */
export function checkSignsIn({ user_id }: PurposeColumns): void {
  if (user_id !== null)
    throw wrong(
      'This challenge confirms a request and cannot be used to sign in. Request one without a token, or ' +
        `with {"purpose": {"operation": "${SIGN_IN}"}}.`,
    );
}

/** @throws Problem 401 `auth.signature_invalid` (`purpose`) */
export function checkConfirms(kept: PurposeColumns, wanted: Confirmed): void {
  const { user_id, operation, target } = wanted;
  if (kept.user_id === user_id) {
    if (kept.operation === null && UNNAMED_OPERATIONS.includes(operation)) return;
    if (kept.operation === operation && kept.target === target) return;
  }
  throw wrong(
    'This challenge was issued for another request. Request one with the same token and {"purpose": ' +
      `${JSON.stringify({ operation, target })}}.`,
  );
}

const wrong = (detail: string): Problem => accountsProblem('auth.signature_invalid', detail, { reason: 'purpose' });

const HARMLESS = 'costs nothing and sends no transaction.';
const UNNAMED_REQUESTS =
  'look up a user, read your profile, list or create API keys, read or change harnesses, or store credentials of a connection';

/** The statement of the signed text, limited to the characters of EIP-4361. */
export function statementOf(purpose: Purpose, operations: readonly OperationBase[]): string {
  if (purpose.kind === 'sign_in') return `Sign in. This confirms no other request, ${HARMLESS}`;
  const asked =
    purpose.kind === 'sensitive'
      ? UNNAMED_REQUESTS
      : `${spoken(operations.find(({ id }) => id === purpose.operation)?.summary ?? '')} (${purpose.operation})`;
  return `Confirm one request to account ${purpose.user_id}: ${asked}. This does not sign in, ${HARMLESS}`;
}

/** Removes characters that a statement must not have. */
const spoken = (summary: string): string =>
  summary.replace(/[’']/g, "'").replace(/[^A-Za-z0-9 :/?#[\]@!$&'()*+,;=._~-]/g, '');

/** The `Resources` of the signed text. */
export const resourcesOf = (purpose: Purpose, base_url: string): string[] =>
  purpose.kind === 'request' ? [`${base_url}${purpose.target}`] : [];

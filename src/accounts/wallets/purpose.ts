import { purposeText } from '#accounts/auth/refusals.ts';
import { accountsProblem } from '#accounts/errors.ts';
import { coreProblem } from '#core/errors.ts';
import type { OperationBase } from '#core/http/operation.ts';
import { pathMatcher, targetOf } from '#core/http/path.ts';
import { signedFields, spokenFields } from '#core/http/signed-fields.ts';
import type { Problem } from '#core/problem/problem.ts';
import { CHALLENGE_MS } from './challenges.ts';
import { WINDOWS, windowColumn } from './windows.ts';

/**
 * The purpose of a signed challenge. The signed text states it, the row stores it, and each use compares the row with
 * its request. A signature for signing in confirms no request, and vice versa.
 */
export type Purpose =
  | { kind: 'sign_in' }
  /** One of the requests that the API specification lists as sensitive, whose flow cannot name the request. */
  | { kind: 'sensitive'; user_id: string }
  | RequestPurpose
  /** For some minutes and in one session: every request of one window. */
  | { kind: 'window'; user_id: string; window: string; minutes: number; sign_in_id: string };

interface RequestPurpose {
  kind: 'request';
  user_id: string;
  operation: string;
  target: string;
  /** What it covers of the body (`signedFields`); null if nothing. */
  fields: string | null;
}

/** The `purpose` of `POST /api/wallets/challenge`. */
export interface AskedPurpose {
  operation: string;
  target?: string;
  fields?: Record<string, unknown>;
  minutes?: number;
}

/** Who asks for a challenge. An API key has no session. */
interface Asker {
  user_id: string;
  sign_in_id: string | null;
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
const CONFIRMATION_MS = 120_000;

/**
 * @throws Problem 400 `http.invalid` (`input`) if no operation accepts such a signature, the target is not its path, or the
 *   fields are not those that its signature covers;
 *   401 `auth.token_required` (through `needsToken`) if the purpose is a request and nobody is signed in.
 */
export function purposeOf(
  operations: readonly OperationBase[],
  asked: AskedPurpose | undefined,
  asker: Asker | null,
  needsToken: () => Problem,
): Purpose {
  if (asked === undefined) return asker === null ? { kind: 'sign_in' } : { kind: 'sensitive', user_id: asker.user_id };
  if (asked.operation === SIGN_IN) return { kind: 'sign_in' };
  const operation = operations.find(({ id }) => id === asked.operation);
  if (operation === undefined || !isSigned(operation))
    throw invalid('/purpose/operation', `must be ${SIGN_IN} or an operation that requires a wallet signature`);
  if (asker === null) throw needsToken();
  if (asked.minutes !== undefined) return windowOf(operation, asked, asked.minutes, asker);
  const { user_id } = asker;
  const [target, fields] = [readTarget(operation, asked.target), readFields(operation, asked.fields)];
  return { kind: 'request', user_id, operation: operation.id, target, fields };
}

export const isSigned = ({ access, signs }: OperationBase): boolean =>
  access === 'sensitive' || access === 'fresh' || signs !== undefined;

function windowOf(
  { confirm_window: window }: OperationBase,
  { target, fields }: AskedPurpose,
  minutes: number,
  { user_id, sign_in_id }: Asker,
): Purpose {
  if (window === undefined)
    throw invalid('/purpose/minutes', 'must be omitted: each request of this operation is confirmed separately');
  if (target !== undefined || fields !== undefined)
    throw invalid('/purpose/minutes', 'must not be combined with target or fields');
  if (sign_in_id === null) throw invalid('/purpose/minutes', 'requires a session token; API keys have no session');
  return { kind: 'window', user_id, window, minutes, sign_in_id };
}

/** Texts longer than this are not read by anyone. */
const MAX_FIELDS = 2_000;

function readFields(operation: OperationBase, given: Record<string, unknown> | undefined): string | null {
  const { signs = [] } = operation;
  if (signs.length === 0) {
    if (given === undefined) return null;
    throw invalid('/purpose/fields', 'must be omitted: the signature of this operation covers no fields');
  }
  if (given === undefined)
    throw invalid('/purpose/fields', `must have the fields of the request's body: ${signs.join(', ')}`);
  const unknown = Object.keys(given).find((name) => !signs.includes(name));
  if (unknown !== undefined) throw invalid('/purpose/fields', `may only have ${signs.join(', ')}`);
  const fields = signedFields(operation, given);
  if (fields !== null && fields.length > MAX_FIELDS) throw invalid('/purpose/fields', 'must be shorter');
  return fields;
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
  fields: string | null;
  /** The window of the operation. */
  window?: string | undefined;
  /** The session of the request. */
  sign_in_id?: string | null;
}

/** The columns of a purpose in `challenges`. */
export interface PurposeColumns {
  user_id: string | null;
  operation: string | null;
  target: string | null;
  fields: string | null;
  sign_in_id: string | null;
}

const NO_COLUMNS: PurposeColumns = { user_id: null, operation: null, target: null, fields: null, sign_in_id: null };

export function columnsOf(purpose: Purpose): PurposeColumns {
  if (purpose.kind === 'sign_in') return NO_COLUMNS;
  const { user_id } = purpose;
  if (purpose.kind === 'sensitive') return { ...NO_COLUMNS, user_id };
  if (purpose.kind === 'window')
    return { ...NO_COLUMNS, user_id, operation: windowColumn(purpose.window), sign_in_id: purpose.sign_in_id };
  const { operation, target, fields } = purpose;
  return { ...NO_COLUMNS, user_id, operation, target, fields };
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
  const { user_id, operation, target, fields } = wanted;
  if (kept.user_id === user_id) {
    if (kept.operation === null && UNNAMED_OPERATIONS.includes(operation)) return;
    if (kept.operation === operation && kept.target === target && kept.fields === fields) return;
    if (isInWindow(kept, wanted)) return;
  }
  throw wrong(
    'This challenge was issued for another request. Request one with the same token and {"purpose": ' +
      `${purposeText({ operation, target, fields })}}.`,
  );
}

const isInWindow = (kept: PurposeColumns, { window, sign_in_id }: Confirmed): boolean =>
  window !== undefined &&
  kept.operation === windowColumn(window) &&
  kept.sign_in_id !== null &&
  kept.sign_in_id === sign_in_id;

const wrong = (detail: string): Problem => accountsProblem('auth.signature_invalid', detail, { reason: 'purpose' });

const HARMLESS = 'costs nothing and sends no transaction.';
const UNNAMED_REQUESTS =
  'look up a user, read your profile, list or create API keys, read or change harnesses, or store credentials of a connection';

/** The statement of the signed text, limited to the characters of EIP-4361. */
export function statementOf(purpose: Purpose, operations: readonly OperationBase[]): string {
  if (purpose.kind === 'sign_in') return `Sign in. This confirms no other request, ${HARMLESS}`;
  const { user_id } = purpose;
  if (purpose.kind === 'window')
    return (
      `Confirm requests to account ${user_id} for ${purpose.minutes} minutes, in the current session only: ` +
      `${WINDOWS[purpose.window]}. This does not sign in, ${HARMLESS}`
    );
  const asked = purpose.kind === 'sensitive' ? UNNAMED_REQUESTS : requestWords(purpose, operations);
  return `Confirm one request to account ${user_id}: ${asked}. This does not sign in, ${HARMLESS}`;
}

/** Characters that a statement cannot have are left out here; `Resources` has every field exactly. */
function requestWords({ operation, fields }: RequestPurpose, operations: readonly OperationBase[]): string {
  const summary = spoken(operations.find(({ id }) => id === operation)?.summary ?? '');
  const named = fields === null || fields === '' ? '' : ` with ${spoken(spokenFields(fields))}`;
  return `${summary} (${operation})${named}`;
}

/** Removes characters that a statement must not have. */
const spoken = (summary: string): string =>
  summary.replace(/[’']/g, "'").replace(/[^A-Za-z0-9 :/?#[\]@!$&'()*+,;=._~-]/g, '');

/** The `Resources` of the signed text. */
export const resourcesOf = (purpose: Purpose, base_url: string): string[] =>
  purpose.kind === 'request'
    ? [`${base_url}${purpose.target}${purpose.fields === null || purpose.fields === '' ? '' : `?${purpose.fields}`}`]
    : [];

/** How long a challenge of this purpose is valid. */
export function lifeMsOf(purpose: Purpose): number {
  if (purpose.kind === 'sign_in') return CHALLENGE_MS;
  return purpose.kind === 'window' ? purpose.minutes * 60_000 : CONFIRMATION_MS;
}

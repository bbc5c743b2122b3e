import { CapstanError } from './capstan-error.ts';
import type { Call, CallOptions, Signer } from './client.ts';
import type { Confirmations } from './confirmations.ts';
import { CONTRACT_VERSION, ROWS } from './generated/operations.ts';
import { type Operation, operationOf } from './operation.ts';
import { proveAccount } from './proof-of-work.ts';
import { purposeFor } from './purpose.ts';
import { readAnswer } from './read-answer.ts';
import { invalidCall, pathOf, requestOf } from './request.ts';
import { type Fetch, send } from './send.ts';
import { type Purpose, stepUp } from './sign-in.ts';
import type { Token } from './token.ts';

/** One call, from its input to its result. */

interface CallDeps {
  base_url: string;
  fetch: Fetch;
  token: Token;
  signer: Signer | undefined;
  confirmations: Confirmations;
  retries: number;
  /** Whether to do the proof of work that a new account is asked for, and then call again. */
  prove: boolean;
  timeout_ms: number;
  headers: Record<string, string>;
  /** Runs before each call that is not part of another one. */
  before(operation: Operation): Promise<void>;
}

export function createCall(deps: CallDeps): Call {
  const attempt: Call = async (id, input, options = {}) => {
    if (!Object.hasOwn(ROWS, id)) throw invalidCall({ id }, `The contract ${CONTRACT_VERSION} has no such operation.`);
    const operation = operationOf(id);
    const request = requestOf(deps.base_url, operation, (input ?? {}) as Record<string, unknown>, options.accept);
    await deps.before(operation);
    const time = limitTime(options.timeout_ms ?? deps.timeout_ms, options.signal ?? undefined);
    try {
      const target = pathOf(operation, (input ?? {}) as Record<string, unknown>);
      const purpose = purposeFor(operation, target, (input ?? {}) as Record<string, unknown>);
      const { headers, repeatable, once } = await headersOf(call, deps, operation, purpose, options);
      const response = await send(
        { ...request, headers: { ...deps.headers, ...request.headers, ...headers } },
        {
          fetch: deps.fetch,
          redirects: operation.redirects,
          signal: time.signal,
          repeatable,
          retries: once ? 0 : (options.retries ?? deps.retries),
        },
      );
      const body = await readAnswer(response, operation, options.accept, options.onRetry);
      const { status, headers: received } = response;
      // The timeout ends when a stream starts, which lasts as long as it is read.
      return { status, headers: received, body: (isStream(body) ? explained(body, time.explain) : body) as never };
    } catch (error) {
      if (error instanceof CapstanError && error.code === 'auth.signature_invalid')
        deps.confirmations.forget(operation);
      throw time.explain(error);
    } finally {
      time.stop();
    }
  };
  const call: Call = async (id, input, options = {}) => {
    try {
      return await attempt(id, input, options);
    } catch (error) {
      if (!deps.prove || !(error instanceof CapstanError) || error.code !== 'users.proof_required') throw error;
    }
    const { signal, token } = options;
    await proveAccount(call, { signal, token });
    return attempt(id, input, options);
  };
  return call;
}

const isStream = (body: unknown): body is AsyncGenerator<unknown, void, void> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

async function* explained(stream: AsyncGenerator<unknown, void, void>, explain: (error: unknown) => unknown) {
  try {
    yield* stream;
  } catch (error) {
    throw explain(error);
  }
}

interface Headers {
  headers: Record<string, string>;
  /** Whether repeating the request has no further effect. */
  repeatable: boolean;
  /** Its credential is valid for one request. */
  once: boolean;
}

async function headersOf(
  call: Call,
  deps: CallDeps,
  operation: Operation,
  purpose: Purpose,
  options: CallOptions,
): Promise<Headers> {
  const { access, takes_key, method } = operation;
  const headers: Record<string, string> = {};
  const token = options.token === undefined ? deps.token.current() : options.token;
  if (token !== null && access !== 'public') headers.authorization = `Bearer ${token}`;
  const key = takes_key ? (options.idempotency_key ?? newKey()) : undefined;
  if (key !== undefined) headers['idempotency-key'] = key;
  const signer = options.signer ?? deps.signer;
  const signs = signer !== undefined && (access === 'sensitive' || access === 'fresh') && !isSigned(options.headers);
  if (signs) {
    const { signal, token } = options;
    const confirm = (asked: Purpose) => stepUp(call, signer, asked, { signal, token });
    // A confirmation belongs to the session and the wallet of the client.
    const is_other = options.signer !== undefined || options.token !== undefined;
    const signed = is_other
      ? (await confirm(purpose)).headers
      : await deps.confirmations.headersFor(operation, purpose, confirm);
    Object.assign(headers, signed);
  }
  return {
    headers: { ...headers, ...options.headers },
    repeatable: key !== undefined || ['GET', 'PUT', 'DELETE'].includes(method),
    once: signs || isSigned(options.headers),
  };
}

const isSigned = (headers: Record<string, string> = {}): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'x-wallet-signature');

/** 128 bits. `crypto.randomUUID` is missing in pages that came over plain http. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (randomValue) =>
    randomValue.toString(16).padStart(2, '0'),
  ).join('');

/** A signal that ends with the caller's, or when the time is over. */
function limitTime(timeoutMs: number, caller: AbortSignal | undefined) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  return {
    signal: caller === undefined ? late.signal : AbortSignal.any([caller, late.signal]),
    stop: () => clearTimeout(timer),
    explain: (error: unknown): unknown => {
      if (caller?.aborted) return caller.reason;
      if (late.signal.aborted)
        return new CapstanError({ kind: 'timeout', code: 'sdk.timeout', detail: `No answer within ${timeoutMs} ms.` });
      if (error instanceof CapstanError) return error;
      const detail = `The answer broke off: ${(error as Error).message}`;
      return new CapstanError({ kind: 'network', code: 'sdk.network', detail, cause: error });
    },
  };
}

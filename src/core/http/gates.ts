import type { Caller } from './caller.ts';
import type { OperationBase, Origin, Reply } from './operation.ts';

/** The checks between a request and its handler. `app` provides them, because core must not import other wings. */
export interface Gates {
  guard: Guard;
  limiter: Limiter;
  replays: Replays;
  streams?: Streams;
}

type Headers = Record<string, string | string[] | undefined>;

/** Enforces the access class of an operation. Nothing else does. */
export interface Guard {
  /**
   * Authenticates the bearer credential. Throws a 401 without a valid one and a 403 with too few scopes. `path`: of the
   * request, where an operation has several.
   */
  admit(operation: OperationBase, headers: Headers, path?: string): Promise<Caller>;
  /**
   * Verifies the proof that `sensitive` and `fresh` require. Called after input validation, because it consumes the
   * proof.
   */
  stepUp(operation: OperationBase, caller: Caller, request: Confirmable): Promise<void>;
}

/** The request that a proof must match. */
interface Confirmable {
  headers: Headers;
  /** The path with its parameters, in the canonical form of `targetOf`. */
  target: string;
  /** What the signature covers of the body (`signedFields`). */
  fields: string | null;
  origin: Origin;
}

/** Counts requests against an operation's `limit`. */
export interface Limiter {
  has(limit: string): boolean;
  /** Returns the rate limit headers. Throws a 429 over the limit. */
  take(limit: string, address: string): Promise<Record<string, string>>;
}

/** Counts open event streams. */
export interface Streams {
  /** Returns a function that releases the slot. Throws a 429 if the caller or the client's network has too many. */
  open(caller: Caller | null, address: string): Promise<() => void>;
}

/** Answers a repeated `Idempotency-Key` with the first response. */
export interface Replays {
  once(request: ReplayRequest, run: () => Promise<Reply>): Promise<Reply>;
}

export interface ReplayRequest {
  key: string;
  owner: string;
  operation: string;
  /** Path and body as sent: they must be equal for a replay. */
  content: string;
}

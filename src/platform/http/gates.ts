import type { Caller } from './caller.ts';
import type { OperationBase, Origin, Reply } from './operation.ts';

/** What stands between a request and its handler. Each is given by `app.ts`: the platform knows no feature. */
export interface Gates {
  guard: Guard;
  limiter: Limiter;
  replays: Replays;
}

type Headers = Record<string, string | string[] | undefined>;

/** Enforces an operation's access class. The only place that does. */
export interface Guard {
  /** The caller by the bearer credential. 401 without a good one, 403 with too few scopes. */
  admit(operation: OperationBase, headers: Headers): Promise<Caller>;
  /** The proof that `sensitive` and `fresh` ask for. Asked after the input was found good, because it is used up. */
  stepUp(operation: OperationBase, caller: Caller, headers: Headers, origin: Origin): Promise<void>;
}

/** Counts requests against an operation's `limit`. */
export interface Limiter {
  has(limit: string): boolean;
  /** Answers the headers that tell the client where it stands. 429 over the limit. */
  take(limit: string, address: string): Promise<Record<string, string>>;
}

/** Answers a repeated `Idempotency-Key` with the first answer. */
export interface Replays {
  once(request: ReplayRequest, run: () => Promise<Reply>): Promise<Reply>;
}

export interface ReplayRequest {
  key: string;
  owner: string;
  operation: string;
  /** What must be equal for the same answer: path and body as sent. */
  content: string;
}

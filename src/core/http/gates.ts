import type { Caller } from './caller.ts';
import type { OperationBase, Origin, Reply } from './operation.ts';

/** What stands between a request and its handler. Each is given by `app.ts`: the platform knows no feature. */
export interface Gates {
  guard: Guard;
  limiter: Limiter;
  replays: Replays;
  streams?: Streams;
}

type Headers = Record<string, string | string[] | undefined>;

/** Enforces an operation's access class. The only place that does. */
export interface Guard {
  /** The caller by the bearer credential. 401 without a good one, 403 with too few scopes. */
  admit(operation: OperationBase, headers: Headers): Promise<Caller>;
  /** The proof that `sensitive` and `fresh` ask for. Asked after the input was found good, because it is used up. */
  stepUp(operation: OperationBase, caller: Caller, request: Confirmable): Promise<void>;
}

/** What a proof is compared with. */
export interface Confirmable {
  headers: Headers;
  /** The path with its parameters, in the one spelling of `targetOf`. */
  target: string;
  origin: Origin;
}

/** Counts requests against an operation's `limit`. */
export interface Limiter {
  has(limit: string): boolean;
  /** Answers the headers that tell the client where it stands. 429 over the limit. */
  take(limit: string, address: string): Promise<Record<string, string>>;
}

/** Counts event streams while they are open. */
export interface Streams {
  /** Answers what gives the place back. 429 where there are too many of the caller or of the client's network. */
  open(caller: Caller | null, address: string): Promise<() => void>;
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

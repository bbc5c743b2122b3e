import type { Operations } from './generated/contract.ts';
import type { OperationId } from './operation.ts';

/** The client's methods as types: functions of the contract. */

type At<Id extends string> = Id extends `${string}.${infer N}.${infer M}`
  ? N extends keyof Operations
    ? M extends keyof Operations[N]
      ? Operations[N][M]
      : never
    : never
  : never;

type Also<O> = O extends { also: infer A } ? A : Record<never, never>;

/** What a call of the operation takes: its path's and query's parameters by name, and `body`. */
export type Input<Id extends OperationId> = At<Id> extends { input: infer I } ? I : never;

/** What it answers; with `accept`, in that media type. */
export type Answer<Id extends OperationId, M extends string | undefined = undefined> = M extends keyof Also<At<Id>>
  ? Also<At<Id>>[M]
  : At<Id> extends { answer: infer A }
    ? A
    : never;

/** A wallet, wherever its key is: in a browser's extension, a file, a device. */
export interface Signer {
  address: string;
  /** `ethereum` or `solana`. */
  wallet_type: WalletType;
  /** Of exactly this text: `personal_sign` in 0x-hex for ethereum, Ed25519 in base58 for solana. */
  sign(message: string): string | Promise<string>;
}

export type WalletType = Operations['wallets']['createChallenge']['input']['body']['wallet_type'];

/** A token and whose it is. */
export type SignedIn = Operations['wallets']['verify']['answer'];

/** The headers of one sensitive request. */
export type StepUp = { 'x-challenge-id': string; 'x-wallet-signature': string };

export interface CallOptions {
  /** Ends the call, and a stream at any time. */
  signal?: AbortSignal | undefined;
  /** For the whole call, further tries included; of a stream, until it begins. */
  timeout_ms?: number | undefined;
  /** Further tries where the first fails and another is safe. */
  retries?: number | undefined;
  /** Of operations that take one; made up where left out. */
  idempotency_key?: string | undefined;
  /** Signs what `fresh` and `sensitive` operations ask for. */
  signer?: Signer | undefined;
  /** In place of the client's; null sends none. */
  token?: string | null | undefined;
  headers?: Record<string, string> | undefined;
  /** A further media type that the operation answers in, such as `text/markdown`. */
  accept?: string | undefined;
}

/** An answer with what came beside it. */
export interface Reply<B> {
  status: number;
  headers: Headers;
  /** Undefined where there is none, as with 304. */
  body: B;
}

/** Any operation by its id. `onRetry` hears how long a stream wants its reader to stay away. */
export type Call = <Id extends OperationId, M extends string | undefined = undefined>(
  id: Id,
  input?: Input<Id>,
  options?: CallOptions & { accept?: M; onRetry?: (waitMs: number) => void },
) => Promise<Reply<Answer<Id, M>>>;

type Returned<A> = A extends AsyncGenerator<infer T, void, void> ? AsyncGenerator<T, void, void> : Promise<A>;

type Args<I, O> = Record<never, never> extends I ? [input?: I, options?: O] : [input: I, options?: O];

/** Streams are asked for with their first item; everything else at once. */
type Plain<O> = O extends { input: infer I; answer: infer A }
  ? (...args: Args<I, Omit<CallOptions, 'accept'>>) => [A] extends [AsyncGenerator] ? A : Promise<A>
  : never;

type In<O> = O extends { input: infer I; also: infer A }
  ? <M extends keyof A>(input: I, options: CallOptions & { accept: M }) => Returned<A[M]>
  : unknown;

type Method<O> = Plain<O> & In<O>;

export type Namespaces = { [N in keyof Operations]: { [M in keyof Operations[N]]: Method<Operations[N][M]> } };

import { createCall } from './call.ts';
import { CapstanError } from './capstan-error.ts';
import type { Answer, Call, CallOptions, Input, Namespaces, SignedIn, Signer, StepUp } from './client.ts';
import { keepConfirmations } from './confirmations.ts';
import { type Drift, driftOf } from './drift.ts';
import { CONTRACT_VERSION } from './generated/operations.ts';
import { OPERATION_IDS, type OperationId, operationOf } from './operation.ts';
import { purposeFor } from './purpose.ts';
import { isStream } from './read-answer.ts';
import { pathOf } from './request.ts';
import type { Fetch } from './send.ts';
import { linkProof, type Purpose, signInWithWallet, stepUp } from './sign-in.ts';
import { keepToken } from './token.ts';
import { watchTask } from './watch-task.ts';

export interface CapstanOptions {
  /** `https://host`, with a path if the service has one; `''` on a page of the service. */
  base_url: string;
  /** The access token of a sign-in, or an API key. */
  token?: string | null | undefined;
  /** In place of the global one. */
  fetch?: Fetch | undefined;
  /** Signs the challenges of `fresh` and `sensitive` operations. */
  signer?: Signer | undefined;
  /**
   * Has the wallet confirm related calls, such as those on API keys, for this many minutes (1 to 10) at once. By default, it
   * confirms every call.
   */
  confirm_minutes?: number | undefined;
  /** Number of retries of failed requests if a retry is safe; default 2. */
  retries?: number | undefined;
  /** For a whole call; 60,000. */
  timeout_ms?: number | undefined;
  /** Renews the token automatically when it has less than an hour left. */
  refresh?: boolean | undefined;
  /** Does the proof of work that a new account is asked for, and then calls again; true. It takes a few seconds. */
  prove?: boolean | undefined;
  /** Told each new token, to keep it; null after `signOut`. */
  on_token?: ((token: string | null) => void) | undefined;
  /** Called once before the first call if the service has another contract version. If it throws, the call fails. */
  on_drift?: ((drift: Drift) => void) | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
}

export interface Capstan extends Namespaces {
  /** Calls any operation by its id and also returns status and headers. */
  call: Call;
  /** The token in use. */
  readonly token: string | null;
  setToken(token: string | null): void;
  /** Has the wallet sign a challenge. The token is the client's from then on. */
  signInWithWallet(signer?: Signer): Promise<SignedIn>;
  /** With `remember_device` the result has a `device_token`: store it and pass it next time. */
  signInWithEmail(given: Input<'accounts.email.logIn'>['body']): Promise<Answer<'accounts.email.logIn'>>;
  /** Ends the sign-in at the service and forgets the token. */
  signOut(): Promise<void>;
  /** The two headers that confirm one call of this operation with this input, for requests sent without this client. */
  stepUp<Id extends OperationId>(id: Id, input: Input<Id>, signer?: Signer): Promise<StepUp>;
  /** The body of `accounts.wallets.link`: the wallet to link signs that it belongs to the account that is signed in. */
  linkProof(signer: Signer): Promise<Input<'accounts.wallets.link'>['body']>;
  /** Compares the service's contract with the client's. */
  checkDrift(): Promise<Drift>;
}

/** A client of one service. Makes no request before the first call. */
export function createCapstan(options: CapstanOptions): Capstan {
  const token = keepToken(options.token ?? null, options.on_token);
  const shared = {
    base_url: options.base_url.replace(/(?<!\/)\/+$/, ''),
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    token,
    signer: options.signer,
    confirmations: keepConfirmations(options.confirm_minutes ?? null),
    headers: options.headers ?? {},
    retries: options.retries ?? 2,
    timeout_ms: options.timeout_ms ?? 60_000,
    prove: options.prove ?? true,
  };
  const inner = createCall({ ...shared, before: async () => {} });
  const checkDrift = async () =>
    driftOf(CONTRACT_VERSION, (await inner('surfaces.docs.getSchemaVersion')).body.version);
  const tell = toldOnce(checkDrift, options.on_drift);
  const renew = renewal(inner, token, options.refresh ?? false);
  const call = createCall({
    ...shared,
    before: async ({ access }) => {
      await tell();
      if (access !== 'public') await renew();
    },
  });
  const signerOf = (given: Signer | undefined): Signer => given ?? options.signer ?? refuseWithoutSigner();
  const take = <S extends SignedIn>(signedIn: S): S => {
    token.set(signedIn.access_token);
    return signedIn;
  };
  const own = {
    call,
    checkDrift,
    get token() {
      return token.current();
    },
    setToken: token.set,
    signInWithWallet: async (signer?: Signer) => take(await signInWithWallet(call, signerOf(signer))),
    signInWithEmail: async (body: Input<'accounts.email.logIn'>['body']) =>
      take((await call('accounts.email.logIn', { body })).body),
    signOut: async () => {
      await call('accounts.signIns.logOut');
      token.set(null);
    },
    stepUp: async <Id extends OperationId>(id: Id, input: Input<Id>, signer?: Signer) =>
      (await stepUp(call, signerOf(signer), purposeOf(id, input as Record<string, unknown>))).headers,
    linkProof: (signer: Signer) => linkProof(call, signer),
  };
  return withNamespaces(own, call);
}

/** The purpose of a wallet's signature for this call. Some name fields of the body, so pass the input with it. */
export function purposeOf<Id extends OperationId>(id: Id, input: Input<Id> | Record<string, unknown>): Purpose {
  const [operation, given] = [operationOf(id), (input ?? {}) as Record<string, unknown>];
  return purposeFor(operation, pathOf(operation, given), given);
}

function refuseWithoutSigner(): never {
  const detail = 'This operation needs a wallet signature. Pass a `signer`.';
  throw new CapstanError({ kind: 'invalid_call', code: 'sdk.invalid_call', detail });
}

const BY_NAMESPACE = new Map<string, OperationId[]>();
for (const id of OPERATION_IDS) {
  const [, namespace] = id.split('.') as [string, string];
  BY_NAMESPACE.set(namespace, [...(BY_NAMESPACE.get(namespace) ?? []), id]);
}

/** Each namespace is made with its first use: servers make a client for every request. */
function withNamespaces<T extends object>(client: T, call: Call): T & Namespaces {
  for (const [namespace, ids] of BY_NAMESPACE) {
    let made: Record<string, unknown> | undefined;
    const get = () => {
      made ??= Object.fromEntries(ids.map((id) => [id.slice(id.lastIndexOf('.') + 1), methodOf(call, id)]));
      return made;
    };
    Object.defineProperty(client, namespace, { enumerable: true, get });
  }
  return client as T & Namespaces;
}

function methodOf(call: Call, id: OperationId) {
  if (id === 'runtime.tasks.watch')
    return (input: { id: string }, options?: CallOptions) => watchTask(call, input, options);
  return (input?: undefined, options?: CallOptions) =>
    isStream(options?.accept ?? operationOf(id).media[0] ?? '')
      ? streamOf(call, id, input, options)
      : call(id, input, options).then(({ body }) => body);
}

/** Requested when the first item is read. A response with a single JSON value is returned as the only item. */
async function* streamOf(call: Call, id: OperationId, input: undefined, options?: CallOptions) {
  const { body } = await call(id, input, options);
  if (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
    yield* body as unknown as AsyncGenerator<unknown, void, void>;
  else if (body !== undefined) yield { event: 'message', data: body, id: '' };
}

/** Looks once, before the first call. A service that does not say its version is not kept from answering. */
function toldOnce(checkDrift: () => Promise<Drift>, onDrift: CapstanOptions['on_drift']): () => Promise<void> {
  let told: Promise<void> | undefined;
  const look = async (report: (drift: Drift) => void) => {
    const drift = await checkDrift().catch(() => null);
    if (drift !== null && drift.level !== 'none') report(drift);
  };
  return async () => {
    if (onDrift === undefined) return;
    told ??= look(onDrift);
    await told;
  };
}

/** One at a time, however many calls wait for it. A token that cannot be renewed is used to its end. */
function renewal(call: Call, token: ReturnType<typeof keepToken>, wanted: boolean): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  const renew = async () => {
    const { body } = await call('accounts.signIns.refresh');
    token.set(body.access_token);
  };
  return async () => {
    if (!wanted || !token.isDue()) return;
    underWay ??= renew()
      .catch(() => {})
      .finally(() => {
        underWay = undefined;
      });
    await underWay;
  };
}

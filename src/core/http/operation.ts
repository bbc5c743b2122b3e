import type { Static, TObject, TSchema } from 'typebox';
import type { AtOnce } from './at-once.ts';
import type { Caller, Scope } from './caller.ts';
import type { ErrorForm } from './error-form.ts';

/**
 * An operation of the contract as plain data. Routes, handler types, OpenAPI and the documentation are derived from it.
 */

/**
 * `optional`: a credential is not required, but an invalid one is refused. `jwt`: a token or an API key. `sensitive`:
 * also a wallet signature over a challenge. `fresh`: also such a signature if the account has a wallet, otherwise a
 * sign-in within the last ten minutes.
 */
export const ACCESS_CLASSES = ['public', 'optional', 'jwt', 'fresh', 'sensitive'] as const;
export type Access = (typeof ACCESS_CLASSES)[number];

export interface OperationBase {
  /**
   * `<wing>.<resource>.<verb>`, which is also the path of its file: `catalog.items.list` is src/catalog/items/list.ts.
   */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In OpenAPI form: `/api/skills/{name}/{path}`. A parameter named in `wildcard` also matches slashes. */
  path: string;
  /** Alias paths, such as `/api` for `/`. Omitted from OpenAPI. */
  also?: readonly string[];
  wildcard?: string;
  /** Id of the operation whose route also serves this one, if a router cannot distinguish their paths. */
  mounted_by?: string;
  summary: string;
  description: string;
  access: Access;
  /** The required scope. Default: `read` for GET, `write` otherwise. */
  scope?: Scope;
  /** True for a protected resource of RFC 9728: a 401 then links to its metadata. */
  protected_resource?: boolean;
  /**
   * Fields of the body that a wallet signature for this operation states and covers. Operations whose signature is in the body have
   * this, too, even if it is empty.
   */
  signs?: readonly string[];
  /** Name of the window (accounts/wallets/windows.ts) whose confirmation also covers this operation for some minutes. */
  confirm_window?: string;
  /** Accepts suspended accounts: to see why, to leave, and to take their data with them. */
  for_suspended?: boolean;
  /** Only for operators: for other users the path does not exist. */
  for_operators?: boolean;
  /** The path parameter that must equal the caller's user id. */
  own?: string;
  /** Name of the rate limit that requests count against, by network address. */
  limit?: string;
  /** Accepts every Host, for monitoring tools that use other names. */
  any_host?: boolean;
  /** Limit of concurrent responses, for long streams. */
  at_once?: AtOnce;
  /** Accepts `Idempotency-Key`, for operations that create something. */
  creates?: boolean;
  params?: TObject;
  query?: TObject;
  /**
   * The query is defined by an external standard, so unknown parameters are ignored: clients may send additional ones.
   */
  open_query?: boolean;
  body?: TSchema;
  /**
   * How the body is read; default `json`. `form`: fields of `application/x-www-form-urlencoded`, each once. `text`:
   * unchanged, with any media type; the handler parses it, and the schema only describes it.
   */
  reads?: 'json' | 'form' | 'text';
  /** Error format of an external standard; default: RFC 9457. */
  error_form?: ErrorForm;
  /** Pages of every origin may call it with any method: the response is only for clients that hold the credential. */
  any_origin?: boolean;
  /** Examples of parameters by name. Every required parameter has one. */
  examples?: Record<string, unknown>;
  body_example?: unknown;
  /** Success responses by status; `schema` for JSON. */
  answers: Record<number, Answer>;
  /** Error codes in addition to those that every operation can return. */
  problems: readonly string[];
}

export interface Answer {
  description: string;
  /** Media type to schema and example. */
  content: Record<string, { schema: TSchema; example?: unknown }>;
}

/** Describes JSON among the media types of a response. */
export const jsonContent = <S extends TSchema>(schema: S, example?: unknown) => ({
  'application/json': { schema, example },
});

/** Describes a success response that is always JSON. */
export const jsonAnswer = <S extends TSchema>(description: string, schema: S, example?: unknown) => ({
  description,
  content: jsonContent(schema, example),
});

/** Returns its argument and infers literal types, so that handlers are typed by the contract. */
export const operation = <const O extends OperationBase>(value: O): O => value;

/** The origin of a request, for the audit log. */
export interface Origin {
  request_id: string;
  /** The client's network address. */
  address: string;
}

type Of<S> = S extends TSchema ? Static<S> : Record<string, never>;

export interface Input<O extends OperationBase = OperationBase> {
  params: Of<O['params']>;
  query: Of<O['query']>;
  body: O['reads'] extends 'text' ? string : Of<O['body']>;
  /** The query string as sent, without `?`. */
  raw_query: string;
  /** The path as sent, without the query string. */
  raw_path: string;
  headers: Record<string, string | string[] | undefined>;
  request_id: string;
  /** The client's network address. */
  address: string;
  /** Request id and network address. */
  origin: Origin;
  /** The authenticated caller; null if the operation is public, or if an optional credential was not sent. */
  caller: O['access'] extends 'public' ? null : O['access'] extends 'optional' ? Caller | null : Caller;
  signal: AbortSignal;
}

export type Encoding = 'br' | 'zstd' | 'gzip';

/** The result of a handler: a complete representation or a stream of chunks. */
export interface Reply {
  status?: number;
  media_type: string;
  body: string | Uint8Array | AsyncIterable<string | Uint8Array>;
  /** Strong validator without quotes. Default for public GETs: computed from the body. */
  etag?: string;
  cache_control?: string;
  headers?: Record<string, string>;
  /** `Set-Cookie` values, for pages only. */
  cookies?: readonly string[];
  /** Called when the body has been sent, so that its memory can be reused. */
  release?: () => void;
  /** Compressed forms, filled on demand and kept with a cached reply. */
  encoded?: Map<Encoding, Uint8Array>;
  /** Compresses the body. Default: fast compression. */
  pack?: (encoding: Encoding) => Promise<Uint8Array>;
  /**
   * Set on cached replies: returns whether the reply is still current. Such a reply can also be sent before the router
   * runs.
   */
  isFresh?: () => boolean;
}

export type Handler<O extends OperationBase = OperationBase> = (input: Input<O>) => Reply | Promise<Reply>;

/** The contract of a resource: operations by the last part of their id. */
export type Contract = Record<string, OperationBase>;
export type Routes<C extends Contract> = { [K in keyof C]: Handler<C[K]> };

export const EVENT_STREAM = 'text/event-stream';

/** Returns whether a success response can be a stream of server-sent events. */
export const answersEvents = ({ answers }: Pick<OperationBase, 'answers'>): boolean =>
  Object.values(answers).some(({ content }) => EVENT_STREAM in content);

/** A `media_type` replaces `application/json`. */
type Extra = Omit<Partial<Reply>, 'body'>;

export const json = (value: unknown, extra: Extra = {}): Reply => jsonText(JSON.stringify(value), extra);

/** Returns a reply for a cache, which keeps bytes. */
export const jsonBytes = (value: unknown, extra: Extra = {}) => jsonText(Buffer.from(JSON.stringify(value)), extra);

/** Returns a reply with text that is already JSON. */
export const jsonText = <B extends Reply['body']>(body: B, extra: Extra = {}): Reply & { body: B } => ({
  media_type: 'application/json; charset=utf-8',
  body,
  ...extra,
});

export const markdown = (body: string, extra: Extra = {}): Reply => ({
  media_type: 'text/markdown; charset=utf-8',
  body,
  ...extra,
});

import type { Static, TObject, TSchema } from 'typebox';
import type { AtOnce } from './at-once.ts';
import type { Caller, Scope } from './caller.ts';
import type { ErrorForm } from './error-form.ts';

/** An operation of the contract as plain data. Routes, handler types, OpenAPI and the documentation are functions of it. */

/**
 * `optional`: a credential is welcome, and a bad one is refused. `jwt`: a token or an API key. `sensitive`: and a wallet's signature on a challenge. `fresh`: and such a signature
 * where the account has a wallet, else a sign-in of the last ten minutes.
 */
export const ACCESS_CLASSES = ['public', 'optional', 'jwt', 'fresh', 'sensitive'] as const;
export type Access = (typeof ACCESS_CLASSES)[number];

export interface OperationBase {
  /** `<feature>.<verbNoun>`; the address of its file: `catalog.items.list` is features/registry/list-items.ts. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI form: `/api/skills/{name}/{path}`. A parameter named in `wildcard` also takes plain slashes. */
  path: string;
  /** Further paths that answer the same, such as `/api` beside `/`. Left out of OpenAPI. */
  also?: readonly string[];
  wildcard?: string;
  /** Id of the operation whose route also serves this one, where no router can tell the two paths apart. */
  mounted_by?: string;
  summary: string;
  description: string;
  access: Access;
  /** What the credential must allow; `read` for GET and `write` for the rest where left out. */
  scope?: Scope;
  /** Where it is a protected resource of RFC 9728: refusals of a credential say where its metadata is. */
  protected_resource?: boolean;
  /** The path parameter that must be the caller's own user id. */
  own?: string;
  /** Name of the limit that each request counts against, by its network address. */
  limit?: string;
  /** Answered for every Host: for those that watch the process and know it by other names. */
  any_host?: boolean;
  /** How many of its answers may be under way: for long ones that are streamed. */
  at_once?: AtOnce;
  /** Takes `Idempotency-Key`: for what creates something. */
  creates?: boolean;
  params?: TObject;
  query?: TObject;
  /** An outside standard owns the query, so unknown parameters are ignored: a provider may send some of its own. */
  open_query?: boolean;
  body?: TSchema;
  /**
   * How the body is read; `json` where left out. `form`: fields of `application/x-www-form-urlencoded`, each once.
   * `text`: as it came, whatever its media type; the handler reads it, and the schema only describes it.
   */
  reads?: 'json' | 'form' | 'text';
  /** Whose form failures have, where an outside standard owns it; ours (RFC 9457) where left out. */
  error_form?: ErrorForm;
  /** Pages of every origin may call it, whatever the method: what it answers is for whoever holds the credential. */
  any_origin?: boolean;
  /** Example of each parameter, by name. Every required one has one. */
  examples?: Record<string, unknown>;
  body_example?: unknown;
  /** The success answers by status; `schema` for JSON. */
  answers: Record<number, Answer>;
  /** Problem codes beside those every operation may answer with. */
  problems: readonly string[];
}

export interface Answer {
  description: string;
  /** Media type to schema and example. */
  content: Record<string, { schema: TSchema; example?: unknown }>;
}

/** Identity with inference: keeps the literal types, so that handlers are typed from the contract. */
export const operation = <const O extends OperationBase>(value: O): O => value;

/** Where a request came from, as the audit log notes it. */
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
  /** The request's query string as sent, without `?`. */
  raw_query: string;
  /** The path as sent, without the query string. */
  raw_path: string;
  headers: Record<string, string | string[] | undefined>;
  request_id: string;
  /** The client's network address. */
  address: string;
  /** Both of these. */
  origin: Origin;
  /** Whoever passed the guard; null where the operation is public, or a credential optional and not given. */
  caller: O['access'] extends 'public' ? null : O['access'] extends 'optional' ? Caller | null : Caller;
  signal: AbortSignal;
}

export type Encoding = 'br' | 'zstd' | 'gzip';

/** What a handler answers: a finished representation, or a stream of chunks. */
export interface Reply {
  status?: number;
  media_type: string;
  body: string | Uint8Array | AsyncIterable<string | Uint8Array>;
  /** Strong validator without quotes; left out, one is computed from the body of public GETs. */
  etag?: string;
  cache_control?: string;
  headers?: Record<string, string>;
  /** `Set-Cookie` values, of pages only. */
  cookies?: readonly string[];
  /** Called when the body was sent whole: its memory may be used for something else. */
  release?: () => void;
  /** Compressed forms, filled as they are asked for; kept with the reply by whoever caches it. */
  encoded?: Map<Encoding, Uint8Array>;
  /** Makes a compressed form; where left out, it is made quickly. */
  pack?: (encoding: Encoding) => Promise<Uint8Array>;
  /** Given by whoever caches the reply: whether it still stands. Such a reply is also sent ahead of the router. */
  isFresh?: () => boolean;
}

export type Handler<O extends OperationBase = OperationBase> = (input: Input<O>) => Reply | Promise<Reply>;

/** A feature's contract: operations by the name that follows the dot of their id. */
export type Contract = Record<string, OperationBase>;
export type Routes<C extends Contract> = { [K in keyof C]: Handler<C[K]> };

export const EVENT_STREAM = 'text/event-stream';

/** Whether a success may be a stream of server-sent events. */
export const answersEvents = ({ answers }: Pick<OperationBase, 'answers'>): boolean =>
  Object.values(answers).some(({ content }) => EVENT_STREAM in content);

type Extra = Omit<Partial<Reply>, 'body' | 'media_type'>;

export const json = (value: unknown, extra: Extra = {}): Reply => jsonText(JSON.stringify(value), extra);

/** JSON that is written already. */
export const jsonText = (body: string | Uint8Array, extra: Extra = {}): Reply => ({
  media_type: 'application/json; charset=utf-8',
  body,
  ...extra,
});

export const markdown = (body: string, extra: Extra = {}): Reply => ({
  media_type: 'text/markdown; charset=utf-8',
  body,
  ...extra,
});

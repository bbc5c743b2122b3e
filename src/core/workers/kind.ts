/**
 * A kind of work for the pool: a module that exports `run(request)`, called in a thread without environment variables.
 * The module imports what it needs statically, so that no request pays for loading it. `json-schema/check-apart.ts` is
 * an example.
 */
export interface WorkKind<Request, Answer> {
  /** A file URL. */
  readonly module: string;
  /** Only for the compiler. */
  readonly types?: (request: Request) => Answer;
}

/** Requests and answers are structured clones: plain data, maps, sets, buffers. */
interface WorkModule {
  run(request: never): unknown;
}

/** `M` is `typeof` the module, so that requests and answers are typed by its `run`. */
export const workKind = <M extends WorkModule>(
  module: URL,
): WorkKind<Parameters<M['run']>[0], Awaited<ReturnType<M['run']>>> => ({ module: module.href });

import type { Static, TObject } from 'typebox';

/**
 * Questions that a call can ask its client. If the protocol has no way back to the client, the call starts again with
 * the answers: ask before doing anything, and in the same order each time.
 */
export interface Asking {
  /** Returns whether the client declared that it answers this; with `url`, that it asks its user to open a page. */
  can(method: AskMethod, mode?: 'url'): boolean;
  /**
   * Asks several things at once, under names that are new in this call. Returns unvalidated answers in the protocol's
   * format under the same names. Fails the request if the client did not declare support.
   */
  ask(asks: Record<string, Ask>): Promise<Record<string, Record<string, unknown>>>;
  /** Why nobody can be asked, where it is not the client that lacks support: one sentence. */
  unasked?: string;
  /** Names of the answers that this call was started again with. */
  answered(): readonly string[];
  /** Asks the user for missing input; null if the client cannot ask or the user declined. */
  elicit<F extends TObject>(message: string, form: F): Promise<Static<F> | null>;
}

export type AskMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

export interface Ask {
  method: AskMethod;
  params: Record<string, unknown>;
}

import type { Static, TObject } from 'typebox';

/**
 * What a call may ask its client for in the middle of its work. Where the protocol has no way back to the client, the
 * call is begun anew with the answers: ask before anything is done, and in the same order each time.
 */
export interface Asking {
  /** Whether the client said that it answers this. */
  can(method: AskMethod): boolean;
  /**
   * Several things at once, by names that are new in this call; answers by the same names, in the protocol's form and
   * not checked. Fails the request where the client did not say that it answers such.
   */
  ask(asks: Record<string, Ask>): Promise<Record<string, Record<string, unknown>>>;
  /** Asks the person at the client for what is missing; null where the client cannot ask or the person declined. */
  elicit<F extends TObject>(message: string, form: F): Promise<Static<F> | null>;
}

export type AskMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

export interface Ask {
  method: AskMethod;
  params: Record<string, unknown>;
}

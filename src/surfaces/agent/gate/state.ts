/** The gate's memory of a conversation between turns. */

/** Something that can be run or called. */
export interface Target {
  /** The kind of capability. */
  kind: string;
  ref: string;
  /** The name given by its author. */
  name: string;
}

export interface AskedCall {
  tool: string;
  input: Record<string, unknown>;
}

export interface GateState {
  /** The conversation contains untrusted text, so the model's requests may come from it. */
  tainted: boolean;
  /** Found targets, newest last. */
  known: Target[];
  /** The numbered targets of the last answer; null if a number was not a target. */
  numbered: (Target | null)[];
  /** The single target of the last answer. */
  single: Target | null;
  /** The user's choices since the last call with effects, from what they saw. */
  chosen: Target[];
  /** The refused call that the user's "yes" makes. */
  pending: AskedCall | null;
  /** Ids of the tasks created here. */
  tasks: string[];
  /** The number of the last turn with effects. */
  acted_seq: number;
}

export const MOST_KNOWN = 100;
export const MOST_CHOSEN = 10;
export const MOST_TASKS = 50;

export const freshState = (): GateState => ({
  tainted: false,
  known: [],
  numbered: [],
  single: null,
  chosen: [],
  pending: null,
  tasks: [],
  acted_seq: 0,
});

export const readState = (text: string): GateState => ({
  ...freshState(),
  ...(JSON.parse(text) as Partial<GateState>),
});

export const sameTarget = (one: Pick<Target, 'kind' | 'ref'>, other: Pick<Target, 'kind' | 'ref'>): boolean =>
  one.kind === other.kind && one.ref === other.ref;

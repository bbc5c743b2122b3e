/** What the gate remembers of a conversation between its turns. */

/** Something that can be run or called, as it was found. */
export interface Target {
  /** A kind of capability. */
  kind: string;
  ref: string;
  /** Its author's name for it. */
  name: string;
}

export interface AskedCall {
  tool: string;
  input: Record<string, unknown>;
}

export interface GateState {
  /** Text of strangers has come in: from then on the model's wishes may be theirs. */
  tainted: boolean;
  /** What was found, the newest last. */
  known: Target[];
  /** What the last answer numbered, by place; null where a number was no target. */
  numbered: (Target | null)[];
  /** The one thing that the last answer was about. */
  single: Target | null;
  /** What the user has chosen since the last thing was carried out, by what they saw then. */
  chosen: Target[];
  /** A call that was not carried out: the user's yes makes it. */
  pending: AskedCall | null;
  /** Ids of the tasks that were made here. */
  tasks: string[];
  /** The number of the last turn that carried out something with effects. */
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

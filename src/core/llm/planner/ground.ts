import type { PastCall, PastTurn } from './history.ts';

export type Next = { say: string } | { call: Call[] };

export interface Call {
  name: string;
  input: Record<string, unknown>;
}

/** What a plan may look at. */
export interface Ground {
  /** The user's words of this turn. */
  asked: string;
  /** Calls of this turn that are answered. */
  done: readonly PastCall[];
  past: readonly PastTurn[];
  /** Whether this tool is there. */
  has(tool: string): boolean;
}

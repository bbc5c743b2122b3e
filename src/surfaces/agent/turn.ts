import type { Quota } from '#accounts/quotas/quota.ts';
import type { Availability } from '#catalog/items/availability.ts';
import type { LISTING_TYPES } from '#catalog/items/kinds.ts';
import type { ShownQuestion } from '#connections/questions/question-desk.ts';
import type { Message } from '#core/llm/model.ts';
import type { ProblemBrief } from '#core/problem/problem.ts';
import type { GateState } from './gate/state.ts';

/** Types of a turn and its conversation. */

export const TURN_STATES = ['working', 'completed', 'failed', 'cancelled'] as const;
export type TurnState = (typeof TURN_STATES)[number];

/** A message of the caller; earlier answers may be included if they bring their own history. */
export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** What a search or a look-up found, named as a task names what it runs. */
export interface FoundCard {
  kind: string;
  ref: string;
  name: string;
  description: string;
  /** Null if the result does not say it. */
  listing_type: (typeof LISTING_TYPES)[number] | null;
  /** Null if the result does not say it. */
  availability: Availability | null;
}

export interface Step {
  tool: string;
  /** The input as JSON, truncated. */
  input: string;
  /** `refused`: it has effects that the user did not request. */
  status: 'completed' | 'failed' | 'refused';
  duration_ms: number;
  error: { code: string; detail: string } | null;
  /** The task that it ran. */
  run: { task_id: string; receipt_id: string | null; trace_id: string | null } | null;
  /** Of a tool call through a connection, also if it failed. */
  receipt_id?: string;
  /** What a search or a look-up found. */
  found?: FoundCard[];
}

/** Tokens, and the number of model requests. */
export interface TurnUsage {
  input_tokens: number;
  output_tokens: number;
  requests: number;
}

export interface Turn {
  id: string;
  conversation_id: string;
  seq: number;
  status: TurnState;
  model: string;
  input: ChatMessage[];
  message: string;
  messages: Message[];
  steps: Step[];
  usage: TurnUsage;
  error: ProblemBrief | null;
  trace_id: string;
  created_at: string;
  finished_at: string | null;
}

export interface Conversation {
  id: string;
  title: string;
  turns: number;
  state: GateState;
  created_at: string;
  updated_at: string;
}

/** The result of a turn as callers see it. */
export interface TurnDone {
  id: string;
  conversation_id: string;
  status: TurnState;
  message: string;
  model: string;
  is_llm: boolean;
  steps: Step[];
  usage: TurnUsage;
  error: ProblemBrief | null;
  trace_id: string;
  quota: Quota;
}

/** Events during a turn, in order. */
export type TurnEvent =
  | { type: 'started'; id: string; conversation_id: string; model: string; is_llm: boolean; trace_id: string }
  | { type: 'text'; step: number; text: string }
  | { type: 'step_started'; call: string; tool: string; input: string }
  | { type: 'step_progress'; call: string; done: number; total: number | null; message: string }
  | ({ type: 'question'; call: string } & ShownQuestion)
  | ({ type: 'step_finished'; call: string } & Step)
  | { type: 'done'; turn: TurnDone };

/** The states of a task and the moves between them: A2A's, which MCP's tasks share. Pure. */

export const TASK_STATES = [
  ...(['submitted', 'working', 'input_required', 'auth_required'] as const),
  ...(['completed', 'failed', 'cancelled', 'rejected'] as const),
] as const;
export type TaskState = (typeof TASK_STATES)[number];

const MOVES: Record<TaskState, readonly TaskState[]> = {
  submitted: ['working', 'cancelled', 'rejected'],
  working: ['completed', 'failed', 'cancelled', 'rejected', 'input_required', 'auth_required'],
  // Rejected by its user, who declines what it asks.
  input_required: ['working', 'cancelled', 'rejected'],
  auth_required: ['working', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
  rejected: [],
};

export const mayMove = (from: TaskState, to: TaskState): boolean => MOVES[from].includes(to);

/** Final states. */
export const isFinal = (state: TaskState): boolean => MOVES[state].length === 0;

/** States in which a task can be started. */
export const STARTABLE: readonly TaskState[] = ['submitted', 'input_required', 'auth_required'];

/** Whose run a link shows: that of an account, of someone without one, or one of the service as an example. */
export const SHARED_CALLERS = ['account', 'anonymous', 'service'] as const;

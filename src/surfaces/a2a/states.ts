import { TASK_STATES, type TaskState } from '#runtime/tasks/states.ts';

/** Maps our states one to one to the protocol's names. Pure. */

const NAMES: Record<TaskState, string> = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  input_required: 'TASK_STATE_INPUT_REQUIRED',
  auth_required: 'TASK_STATE_AUTH_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  cancelled: 'TASK_STATE_CANCELED',
  rejected: 'TASK_STATE_REJECTED',
};

export const WIRE_STATES: readonly string[] = Object.values(NAMES);

export const wireState = (state: TaskState): string => NAMES[state];

export const stateOf = (name: string): TaskState | undefined =>
  TASK_STATES.find((taskState) => NAMES[taskState] === name);

/** The sender must do something before it continues. */
export const isInterrupted = (state: TaskState): boolean => state === 'input_required' || state === 'auth_required';

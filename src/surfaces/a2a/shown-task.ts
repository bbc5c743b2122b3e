import { defined } from '#core/defined.ts';
import type { Task } from '#runtime/tasks/task.ts';
import { asksText } from '#runtime/tasks/task-question.ts';
import { wireState } from './states.ts';
import type { TurnTask } from './turn-tasks.ts';

/** Converts a turn to a task in the protocol's JSON, which the library parses. Pure. */

interface Shape {
  /** Maximum number of history messages; all if undefined. */
  history_length?: number | undefined;
  artifacts: boolean;
  /** The agent's text so far, if the turn is running. */
  text?: string | undefined;
}

export const ANSWER = 'answer';

/** `ran` is the Capstan task that it continues with, if any. */
export function shownTask(task: TurnTask, ran: Task | undefined, { history_length, artifacts, text }: Shape) {
  const history = [...task.input.entries()].map(([place, entry]) => messageOf(task, place, entry));
  return {
    id: task.id,
    contextId: task.conversation_id,
    status: shownStatus(task),
    artifacts: artifacts ? artifactsOf({ ...task, message: text || task.message }, ran) : [],
    history: history_length === undefined ? history : history_length === 0 ? [] : history.slice(-history_length),
    metadata: { capstan: about(task) },
  };
}

export function shownStatus(task: TurnTask) {
  const said = statusText(task);
  return {
    state: wireState(task.state),
    timestamp: task.at,
    ...defined({ message: said === null ? undefined : agentMessage(task, `${task.id}-${task.state}`, said) }),
  };
}

/** A message from the agent about a task. */
export const agentMessage = (
  { id, conversation_id }: Pick<TurnTask, 'id' | 'conversation_id'>,
  messageId: string,
  text: string,
) => ({
  messageId,
  role: 'ROLE_AGENT',
  taskId: id,
  contextId: conversation_id,
  parts: [{ text, mediaType: 'text/plain' }],
});

/** The model and the evidence: trace, tasks and their receipts. */
const about = ({ model, trace_id, steps, task_id, server_question }: TurnTask) => ({
  model,
  is_llm: !model.startsWith('builtin/'),
  trace_id,
  runs: steps.flatMap(({ run }) => (run === null ? [] : [run])),
  ...defined({ task_id: task_id ?? undefined, question: server_question ?? undefined }),
});

const ANSWER_FORM =
  'Send {"action":"accept","content":{…}} as data or JSON to this task, with the fields of metadata.capstan.question, or {"action":"decline"}.';
const ANSWER_LINK =
  'Its address is metadata.capstan.question.link.url: show it to your user, and never open it unasked. Then send {"action":"accept"} or {"action":"decline"} as data or JSON to this task.';
const LOST = 'The turn was interrupted. Send your message again.';

function statusText({ state, error, task_id, server_question }: TurnTask): string | null {
  if (server_question !== null)
    return `${asksText(server_question)}. ${server_question.link === null ? ANSWER_FORM : ANSWER_LINK}`;
  switch (state) {
    case 'failed':
    case 'rejected':
      return error?.detail ?? LOST;
    case 'input_required':
      return error?.detail || 'The started task requires input. Send it as a message to this task.';
    case 'auth_required':
      return (
        error?.detail ||
        'The started task requires an authorized connection. Authorize it, then send a message to this task.'
      );
    case 'cancelled':
      return 'Cancelled by request.';
    case 'working':
      return task_id === null ? null : `Task ${task_id} is running.`;
    default:
      return null;
  }
}

function messageOf(task: TurnTask, place: number, { role, content }: TurnTask['input'][number]) {
  const isLast = place === task.input.length - 1;
  return {
    messageId: isLast && task.message_id !== null ? task.message_id : `${task.id}-${place}`,
    role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    taskId: task.id,
    contextId: task.conversation_id,
    parts: [{ text: content }],
  };
}

export function artifactsOf({ message }: TurnTask, ran: Task | undefined) {
  const answer = { artifactId: ANSWER, name: 'Answer', parts: [{ text: message, mediaType: 'text/markdown' }] };
  return [...(message === '' ? [] : [answer]), ...(ran === undefined ? [] : outputOf(ran))];
}

function outputOf({ id, title, output, receipt_id }: Task) {
  if (output === null) return [];
  const value: unknown = JSON.parse(output);
  const part = typeof value === 'string' ? { text: value } : { data: value, mediaType: 'application/json' };
  return [{ artifactId: 'output', name: title, parts: [part], metadata: { task_id: id, receipt_id } }];
}

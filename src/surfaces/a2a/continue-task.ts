import type { Message } from '@a2a-js/sdk';
import type { Caller } from '#core/http/caller.ts';
import { changeTask } from '#runtime/tasks/change-task.ts';
import { enqueueTask } from '#runtime/tasks/enqueue.ts';
import { isFinal } from '#runtime/tasks/states.ts';
import { findTask } from '#runtime/tasks/tasks.ts';
import type { A2aDeps } from './deps.ts';
import { inputOf } from './message.ts';
import type { Sdk } from './sdk.ts';
import type { TurnTask } from './turn-tasks.ts';

/**
 * Sends a message to an existing task: the input or the confirmation that it waits for. Throws if it waits for nothing.
 */
export async function continueTask(
  { tasks, sdk }: Pick<A2aDeps, 'tasks'> & { sdk: Sdk },
  { user_id }: Caller,
  task: TurnTask,
  message: Message,
): Promise<void> {
  const { errors } = sdk;
  if (message.contextId !== '' && message.contextId !== task.conversation_id)
    throw new errors.RequestMalformedError('message.contextId does not match the task in message.taskId.');
  if (isFinal(task.state))
    throw new errors.UnsupportedOperationError(
      `The task is ${task.state} and accepts no more messages. Send the message with its contextId and without taskId.`,
    );
  const of = task.task_id === null ? null : { user_id, id: task.task_id };
  const known = of === null ? undefined : await findTask(tasks.deps.db, of);
  if (of === null || known === undefined || task.state === 'working')
    throw new errors.UnsupportedOperationError(
      'The task is working and accepts a message only when it requests input.',
    );
  if (task.state === 'input_required') {
    const { status } = await changeTask(tasks.deps, of, known, { input: inputOf(message, sdk) });
    // Its user declined what it asked, or a server was answered and its run continues.
    if (status !== 'input_required') return;
  }
  await enqueueTask(tasks.deps, of, null);
}

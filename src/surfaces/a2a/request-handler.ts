import type { CancelTaskRequest, Task } from '@a2a-js/sdk';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { insufficientScope } from '#accounts/auth/refusals.ts';
import type { Caller } from '#core/http/caller.ts';
import { cancelTask } from '#runtime/tasks/cancel-task.ts';
import { isFinal } from '#runtime/tasks/states.ts';
import type { AgentCards } from './card.ts';
import type { A2aDeps } from './deps.ts';
import { listTasks } from './list-tasks.ts';
import type { Heard } from './live-turns.ts';
import { type CallOf, type OwnedTasks, ownedTasks } from './owned-tasks.ts';
import type { Sdk } from './sdk.ts';
import { send } from './send.ts';
import { type WatchDeps, watchTask } from './watch.ts';

/** Implements the protocol's operations for one call; the library's JSON-RPC binding calls it. */

interface HandlerDeps extends A2aDeps, WatchDeps {
  sdk: Sdk;
  cards: AgentCards;
}

/** A run may take longer; then the client asks again. */
const MOST_WAIT_MS = 600_000;
const CANCEL_TAKES_MS = 5_000;

export function requestHandler(deps: HandlerDeps, call: CallOf): A2ARequestHandler {
  const { caller, signal } = call;
  const { forms, errors } = deps.sdk;
  const owned = ownedTasks(deps, call);
  const watch = async function* (id: string, begun?: Heard) {
    const of = { user_id: caller.user_id, id };
    for await (const event of watchTask(deps, of, signal, begun)) yield forms.StreamResponse.fromJSON(event);
  };
  const noPush = async (): Promise<never> => {
    throw new errors.PushNotificationNotSupportedError(
      'Push notifications are not supported. Stream or poll the task.',
    );
  };
  return {
    getAgentCard: async () => forms.AgentCard.fromJSON(deps.cards.open()),
    getAuthenticatedExtendedAgentCard: async () => forms.AgentCard.fromJSON(await deps.cards.extended(caller)),
    sendMessage: async (params) => {
      demandWrite(caller);
      const { id } = await send(deps, call, owned, params, null);
      const { historyLength, returnImmediately } = params.configuration ?? {};
      const task = returnImmediately === true ? owned.find(id) : owned.awaitRest(id, MOST_WAIT_MS);
      return owned.show(await task, historyLength);
    },
    sendMessageStream: async function* (params) {
      demandWrite(caller);
      const { id, heard } = await send(deps, call, owned, params, signal);
      yield* watch(id, heard);
    },
    getTask: async ({ id, historyLength }) => owned.show(await owned.find(id), historyLength),
    listTasks: async (params) => listTasks(deps, caller, params),
    cancelTask: async (params) => {
      demandWrite(caller);
      return cancel(deps, caller, owned, params);
    },
    resubscribe: async function* ({ id }) {
      const { state } = await owned.find(id);
      if (isFinal(state))
        throw new errors.UnsupportedOperationError(`The task is ${state} and cannot be subscribed to. Use GetTask.`);
      yield* watch(id);
    },
    createTaskPushNotificationConfig: noPush,
    getTaskPushNotificationConfig: noPush,
    listTaskPushNotificationConfigs: noPush,
    deleteTaskPushNotificationConfig: noPush,
  };
}

function demandWrite({ scopes }: Caller): void {
  if (!scopes.includes('write')) throw insufficientScope('write');
}

/** Cancelling twice is not an error. */
async function cancel(
  { agents, tasks, sdk }: HandlerDeps,
  { user_id }: Caller,
  owned: OwnedTasks,
  { id }: CancelTaskRequest,
): Promise<Task> {
  const task = await owned.find(id);
  if (task.state === 'cancelled') return owned.show(task);
  if (isFinal(task.state))
    throw new sdk.errors.TaskNotCancelableError({
      message: `The task is ${task.state}.`,
      metadata: { taskId: id },
    });
  if (task.task_id === null) await agents.cancelTurn(user_id, id);
  else await cancelTask(tasks.deps, { user_id, id: task.task_id });
  return owned.show(await owned.awaitRest(id, CANCEL_TAKES_MS));
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { Caller } from '../../../platform/http/caller.ts';
import { insufficientScope } from '../../auth/refusals.ts';
import { cancelTask } from '../../tasks/cancel-task.ts';
import { isFinal } from '../../tasks/states.ts';
import type { AgentCards } from './card.ts';
import { continueTask } from './continue-task.ts';
import type { A2aDeps } from './deps.ts';
import { listTasks } from './list-tasks.ts';
import type { Begun } from './live-turns.ts';
import { canShow, OUTPUT_MODES, textOf } from './message.ts';
import type { Sdk } from './sdk.ts';
import { shownTask } from './shown-task.ts';
import type { TurnTask } from './turn-tasks.ts';
import { readRan, readTurnTask, rests, type WatchDeps, watchTask } from './watch.ts';

/** The protocol's operations over ours, for one call: what the library's JSON-RPC binding calls. */

export interface HandlerDeps extends A2aDeps, WatchDeps {
  sdk: Sdk;
  cards: AgentCards;
}

export interface CallOf {
  caller: Caller;
  traceparent: string | null;
  /** Aborted when the client is gone or the service stops. */
  signal: AbortSignal;
}

type SendParams = Parameters<A2ARequestHandler['sendMessage']>[0];

const CANCEL_TAKES_MS = 5_000;
const MOST_WAIT_MS = 600_000;
const LOOK_FIRST_MS = 25;
const LOOK_EVERY_MS = 400;

export function requestHandler(deps: HandlerDeps, { caller, traceparent, signal }: CallOf): A2ARequestHandler {
  const { sdk, cards } = deps;
  const { forms, errors } = sdk;
  const own = (id: string) => ({ user_id: caller.user_id, id });

  const find = async (id: string): Promise<TurnTask> => {
    const task = await readTurnTask(deps, own(id));
    if (task === undefined)
      throw new errors.TaskNotFoundError({ message: 'You have no task of this id.', metadata: { taskId: id } });
    return task;
  };
  const show = async (task: TurnTask, history_length?: number) =>
    forms.Task.fromJSON(shownTask(task, await readRan(deps, own(task.id), task), { history_length, artifacts: true }));
  const demandWrite = (): void => {
    if (!caller.scopes.includes('write')) throw insufficientScope('write');
  };
  async function* stream(id: string, begun?: Parameters<typeof watchTask>[3]) {
    for await (const it of watchTask(deps, own(id), signal, begun)) yield forms.StreamResponse.fromJSON(it);
  }

  /** The id of the task that the message begins or goes on with. */
  const send = async ({ message, configuration, metadata }: SendParams, listen: AbortSignal | null): Promise<Begun> => {
    demandWrite();
    if (message === undefined) throw new errors.RequestMalformedError('message is required.');
    if (configuration?.taskPushNotificationConfig !== undefined) throw new errors.PushNotificationNotSupportedError();
    if (!canShow(configuration?.acceptedOutputModes ?? []))
      throw new errors.ContentTypeNotSupportedError(`The agent answers as ${OUTPUT_MODES.join(', ')}.`);
    if (message.taskId !== '') {
      await continueTask(deps, caller, await find(message.taskId), message);
      return { id: message.taskId, heard: undefined };
    }
    const saying = {
      ...{ message: textOf(message, sdk), message_id: message.messageId, ...modelIn(metadata) },
      ...(message.contextId === '' ? {} : { conversation_id: message.contextId }),
      ...(traceparent === null ? {} : { traceparent }),
    };
    return deps.live.begin(caller, saying, listen);
  };

  /** Until nothing more happens by itself, the client is gone, or so long has passed. */
  const awaitRest = async (id: string, most_ms: number): Promise<TurnTask> => {
    const ends_at = performance.now() + most_ms;
    for (let wait_ms = LOOK_FIRST_MS; ; wait_ms = Math.min(wait_ms * 2, LOOK_EVERY_MS)) {
      const task = await find(id);
      if (rests(task) || signal.aborted || performance.now() >= ends_at) return task;
      const over = deps.live.get(id)?.over;
      const pause = sleep(over === undefined ? wait_ms : ends_at - performance.now(), undefined, {
        signal,
        ref: false,
      });
      await Promise.race([over, pause].filter((it) => it !== undefined)).catch(() => {});
    }
  };

  const noPush = async (): Promise<never> => {
    throw new errors.PushNotificationNotSupportedError('This agent sends no push notifications. Stream, or ask again.');
  };

  return {
    getAgentCard: async () => forms.AgentCard.fromJSON(cards.open()),
    getAuthenticatedExtendedAgentCard: async () => forms.AgentCard.fromJSON(await cards.extended(caller)),
    sendMessage: async (params) => {
      const { id } = await send(params, null);
      const { historyLength, returnImmediately } = params.configuration ?? {};
      return show(returnImmediately === true ? await find(id) : await awaitRest(id, MOST_WAIT_MS), historyLength);
    },
    sendMessageStream: async function* (params) {
      const { id, heard } = await send(params, signal);
      yield* stream(id, heard);
    },
    getTask: async ({ id, historyLength }) => show(await find(id), historyLength),
    listTasks: async (params) => listTasks(deps, caller, params),
    cancelTask: async ({ id }) => {
      demandWrite();
      const task = await find(id);
      if (task.state === 'cancelled') return show(task);
      if (isFinal(task.state))
        throw new errors.TaskNotCancelableError({
          message: `The task is ${task.state} already.`,
          metadata: { taskId: id },
        });
      if (task.task_id === null) await deps.agents.cancelTurn(caller.user_id, id);
      else await cancelTask(deps.tasks.deps, own(task.task_id));
      return show(await awaitRest(id, CANCEL_TAKES_MS));
    },
    resubscribe: async function* ({ id }) {
      const task = await find(id);
      if (isFinal(task.state))
        throw new errors.UnsupportedOperationError(
          `The task is ${task.state}: nothing more happens to it. Get it instead.`,
        );
      yield* stream(id);
    },
    createTaskPushNotificationConfig: noPush,
    getTaskPushNotificationConfig: noPush,
    listTaskPushNotificationConfigs: noPush,
    deleteTaskPushNotificationConfig: noPush,
  };
}

/** `{"capstan": {"model": "…"}}` in a call's metadata chooses the model of the turn. */
function modelIn(metadata: SendParams['metadata']): { model?: string } {
  const { model } = (metadata?.capstan ?? {}) as { model?: unknown };
  return typeof model === 'string' && model !== '' ? { model } : {};
}

import type { SendMessageRequest } from '@a2a-js/sdk';
import { defined } from '#core/defined.ts';
import { continueTask } from './continue-task.ts';
import type { A2aDeps } from './deps.ts';
import type { LiveTurns, StartedTurn } from './live-turns.ts';
import { canShow, OUTPUT_MODES, textOf } from './message.ts';
import type { CallOf, OwnedTasks } from './owned-tasks.ts';
import type { Sdk } from './sdk.ts';

interface SendDeps extends Pick<A2aDeps, 'tasks'> {
  sdk: Sdk;
  live: LiveTurns;
}

/** Starts a turn with the message, or continues the task that it names. `listen` as in `LiveTurns.begin`. */
export async function send(
  deps: SendDeps,
  { caller, traceparent }: Pick<CallOf, 'caller' | 'traceparent'>,
  owned: Pick<OwnedTasks, 'find'>,
  { message, configuration, metadata }: SendMessageRequest,
  listen: AbortSignal | null,
): Promise<StartedTurn> {
  const { errors } = deps.sdk;
  if (message === undefined) throw new errors.RequestMalformedError('message is required.');
  if (configuration?.taskPushNotificationConfig !== undefined) throw new errors.PushNotificationNotSupportedError();
  if (!canShow(configuration?.acceptedOutputModes ?? []))
    throw new errors.ContentTypeNotSupportedError(`The agent responds with ${OUTPUT_MODES.join(', ')}.`);
  if (message.taskId !== '') {
    await continueTask(deps, caller, await owned.find(message.taskId), message);
    return { id: message.taskId, heard: undefined };
  }
  const saying = {
    message: textOf(message, deps.sdk),
    message_id: message.messageId,
    ...modelIn(metadata),
    ...defined({
      conversation_id: message.contextId || undefined,
      traceparent: traceparent ?? undefined,
    }),
  };
  return deps.live.begin(caller, saying, listen);
}

/** `{"capstan": {"model": "…"}}` in the metadata of a call selects the model of the turn. */
function modelIn(metadata: SendMessageRequest['metadata']): { model?: string } {
  const { model } = (metadata?.capstan ?? {}) as { model?: unknown };
  return typeof model === 'string' && model !== '' ? { model } : {};
}

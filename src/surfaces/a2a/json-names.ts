import { isObject } from './rpc.ts';

/**
 * The library also takes fields under their names in the protocol's proto files, such as `page_size`. They are given
 * their names in JSON before anything is checked, so that nothing comes past the checks.
 */

type Json = Record<string, unknown>;

const NAMES = [
  'messageId',
  'contextId',
  'taskId',
  'referenceTaskIds',
  'mediaType',
  'acceptedOutputModes',
  'historyLength',
  'taskPushNotificationConfig',
  'returnImmediately',
  'pageSize',
  'pageToken',
  'statusTimestampAfter',
  'includeArtifacts',
].map((name) => [name.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`), name] as const);

export function useJsonNames(params: Json): void {
  rename(params);
  const { message, configuration } = params;
  for (const it of [message, configuration, ...partsOf(message)]) if (isObject(it)) rename(it);
  if (isObject(configuration) && isObject(configuration.taskPushNotificationConfig))
    rename(configuration.taskPushNotificationConfig);
}

const partsOf = (message: unknown): unknown[] =>
  isObject(message) && Array.isArray(message.parts) ? message.parts : [];

/** As the library has it: of both, the one in JSON counts. */
function rename(it: Json): void {
  for (const [proto, name] of NAMES) {
    if (!Object.hasOwn(it, proto)) continue;
    it[name] ??= it[proto];
    delete it[proto];
  }
}

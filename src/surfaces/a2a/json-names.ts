import { isRecord } from '#core/record.ts';

/**
 * The library also accepts fields under their proto names, such as `page_size`. They are renamed to their JSON names
 * before validation, so that nothing bypasses it.
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
].map((name) => [name.replace(/[A-Z]/g, (match) => `_${match.toLowerCase()}`), name] as const);

export function useJsonNames(params: Json): void {
  rename(params);
  const { message, configuration } = params;
  for (const part of [message, configuration, ...partsOf(message)]) if (isRecord(part)) rename(part);
  if (isRecord(configuration) && isRecord(configuration.taskPushNotificationConfig))
    rename(configuration.taskPushNotificationConfig);
}

const partsOf = (message: unknown): unknown[] =>
  isRecord(message) && Array.isArray(message.parts) ? message.parts : [];

/** As in the library: if both are present, the JSON name wins. */
function rename(json: Json): void {
  for (const [proto, name] of NAMES) {
    if (!Object.hasOwn(json, proto)) continue;
    json[name] ??= json[proto];
    delete json[proto];
  }
}

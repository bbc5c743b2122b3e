import { isRecord } from '#core/record.ts';
import { useJsonNames } from './json-names.ts';
import type { Violation } from './rpc.ts';
import { WIRE_STATES } from './states.ts';

/**
 * Validates the parameters of each method as JSON before the library reads them, because it treats invalid values as
 * empty. Unknown fields pass, and null equals absent.
 */

type Params = Record<string, unknown>;
type Check = (params: Params, found: (field: string, description: string) => void) => void;

const CHECKS: Record<string, Check> = {
  SendMessage: checkSend,
  SendStreamingMessage: checkSend,
  GetTask: (params, found) => {
    checkText(params, 'id', found, { required: true });
    checkCount(params, 'historyLength', found, 0);
  },
  ListTasks: checkList,
  CancelTask: (params, found) => checkText(params, 'id', found, { required: true }),
  SubscribeToTask: (params, found) => checkText(params, 'id', found, { required: true }),
  CreateTaskPushNotificationConfig: checkPush,
  GetTaskPushNotificationConfig: checkPush,
  ListTaskPushNotificationConfigs: checkPush,
  DeleteTaskPushNotificationConfig: checkPush,
  GetExtendedAgentCard: () => {},
};

const MOST_VIOLATIONS = 20;

/** Undefined for an unknown method. */
export function checkParams(method: string, params: Params): Violation[] | undefined {
  if (!Object.hasOwn(CHECKS, method)) return undefined;
  const violations: Violation[] = [];
  const found: Found = (field, description) => {
    if (violations.length < MOST_VIOLATIONS) violations.push({ field, description });
  };
  useJsonNames(params);
  checkText(params, 'tenant', found);
  CHECKS[method]?.(params, found);
  return violations;
}

type Found = Parameters<Check>[1];

function checkSend({ message, configuration }: Params, found: Found): void {
  if (!isRecord(message)) {
    found('message', 'is required and must be an object');
    return;
  }
  const inMessage: Found = (field, description) => found(`message.${field}`, description);
  checkText(message, 'messageId', inMessage, { required: true });
  checkText(message, 'contextId', inMessage);
  checkText(message, 'taskId', inMessage);
  for (const name of ['extensions', 'referenceTaskIds']) checkTexts(message, name, inMessage);
  if (message.role !== 'ROLE_USER' && message.role !== 1)
    inMessage('role', 'must be ROLE_USER: clients speak as the user');
  checkParts(message.parts, inMessage);
  if (!isGiven(configuration)) return;
  if (!isRecord(configuration)) {
    found('configuration', 'must be an object');
    return;
  }
  const inConfiguration: Found = (field, description) => found(`configuration.${field}`, description);
  checkCount(configuration, 'historyLength', inConfiguration, 0);
  checkFlag(configuration, 'returnImmediately', inConfiguration);
  checkTexts(configuration, 'acceptedOutputModes', inConfiguration);
  const { taskPushNotificationConfig: push } = configuration;
  if (isRecord(push))
    checkPush(push, (field, description) => inConfiguration(`taskPushNotificationConfig.${field}`, description));
}

/** The library reads these before it reports that push notifications are unsupported. */
function checkPush(params: Params, found: Found): void {
  for (const name of ['tenant', 'id', 'taskId', 'url', 'token', 'pageToken']) checkText(params, name, found);
  checkCount(params, 'pageSize', found, 1, 100);
  const { authentication } = params;
  if (!isRecord(authentication)) return;
  for (const name of ['scheme', 'credentials'])
    checkText(authentication, name, (field, description) => found(`authentication.${field}`, description));
}

const CONTENTS = ['text', 'raw', 'url', 'data'] as const;
const MOST_PARTS = 100;

function checkParts(parts: unknown, found: Found): void {
  if (!Array.isArray(parts) || parts.length === 0) {
    found('parts', 'must be a list of at least one part');
    return;
  }
  if (parts.length > MOST_PARTS) {
    found('parts', `must be at most ${MOST_PARTS}`);
    return;
  }
  for (const [place, part] of parts.entries()) {
    const at = `parts[${place}]`;
    if (!isRecord(part)) {
      found(at, 'must be an object');
      continue;
    }
    const given = CONTENTS.filter((content) => isGiven(part[content]));
    if (given.length !== 1) found(at, `must have exactly one of ${CONTENTS.join(', ')}`);
    for (const name of ['text', 'raw', 'url', 'mediaType', 'filename'])
      if (isGiven(part[name]) && typeof part[name] !== 'string') found(`${at}.${name}`, 'must be a string');
  }
}

function checkList(params: Params, found: Found): void {
  const { status, statusTimestampAfter: after } = params;
  checkText(params, 'contextId', found);
  const isState = typeof status === 'string' && ['TASK_STATE_UNSPECIFIED', ...WIRE_STATES].includes(status);
  if (isGiven(status) && !isState) found('status', `must be one of ${WIRE_STATES.join(', ')}`);
  checkCount(params, 'pageSize', found, 1, 100);
  checkText(params, 'pageToken', found);
  checkCount(params, 'historyLength', found, 0);
  checkFlag(params, 'includeArtifacts', found);
  if (isGiven(after) && !(typeof after === 'string' && /^\d{4}-/.test(after) && !Number.isNaN(Date.parse(after))))
    found('statusTimestampAfter', 'must be a time in ISO 8601, such as 2026-01-31T12:00:00Z');
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Ids and tokens must not contain control characters, which databases reject. */
function checkText(params: Params, name: string, found: Found, { required = false } = {}): void {
  const value = params[name];
  if (!isGiven(value) || value === '') {
    if (required) found(name, 'is required');
    return;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (typeof value !== 'string' || value.length > 500 || /[\x00-\x1f]/.test(value))
    found(name, 'must be a string of at most 500 characters');
}

function checkTexts(params: Params, name: string, found: Found): void {
  const value = params[name];
  if (isGiven(value) && !(Array.isArray(value) && value.every((one) => typeof one === 'string')))
    found(name, 'must be a list of strings');
}

function checkCount(params: Params, name: string, found: Found, least: number, most = 2 ** 31 - 1): void {
  const value = params[name];
  if (!isGiven(value)) return;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return;
  found(
    name,
    most === 2 ** 31 - 1
      ? `must be a whole number from ${least} on`
      : `must be a whole number from ${least} to ${most}`,
  );
}

function checkFlag(params: Params, name: string, found: Found): void {
  if (isGiven(params[name]) && typeof params[name] !== 'boolean') found(name, 'must be true or false');
}

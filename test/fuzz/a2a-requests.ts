import { defined } from '#core/defined.ts';
import type { Dice } from './dice.ts';
import { CREDENTIALS, type FuzzRequest, headersOf, oddType, oversized } from './rest-requests.ts';
import { KNOWN, nearly, spoilt } from './shapes.ts';
import { hostileText, hostileValue, objectOf } from './values.ts';

/** Messages to the agent in its own protocol. */

export function a2aRequest(dice: Dice): FuzzRequest {
  const method = dice.pick(METHODS);
  const params = paramsOf(method, dice);
  const made = dice.once(8) ? inProto(params) : params;
  const message = objectOf([
    ['jsonrpc', dice.once(40) ? dice.pick(['1.0', 2, null]) : '2.0'],
    ['id', dice.once(8) ? dice.pick([null, 1.5, {}, [1], true, '', '\ud800', 2 ** 53]) : 1],
    ['method', method],
    ['params', dice.once(3) ? nearly(made, dice) : made],
  ]);
  const version = dice.once(12) ? dice.pick(['0.3', '2.0', '', 'x', '1.0.7', '1']) : '1.0';
  return {
    method: dice.once(30) ? dice.pick(['GET', 'PUT', 'OPTIONS']) : 'POST',
    target: `/a2a/core-agent${dice.once(12) ? '?A2A-Version=1.0&x=y' : ''}`,
    headers: {
      ...headersOf(dice),
      'content-type': dice.once(30) ? oddType(dice) : 'application/json',
      ...defined({ 'a2a-version': dice.once(20) ? undefined : version }),
    },
    body: bodyOf(JSON.stringify(message), dice),
    credential: dice.once(6) ? dice.pick(CREDENTIALS) : dice.pick(['full', 'full', 'key', 'reader']),
  };
}

/** As the protocol's other forms have them. */
const inProto = (params: unknown): unknown =>
  typeof params !== 'object' || params === null
    ? params
    : objectOf(
        Object.entries(params).map(([name, param]) => [name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), param]),
      );

const METHODS = [
  'SendMessage',
  'SendMessage',
  'SendMessage',
  'SendStreamingMessage',
  'GetTask',
  'GetTask',
  'ListTasks',
  'ListTasks',
  'CancelTask',
  'SubscribeToTask',
  'CreateTaskPushNotificationConfig',
  'GetExtendedAgentCard',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
  'message/send',
  'tasks/get',
  '__proto__',
  'toString',
  'constructor',
  '',
];

function paramsOf(method: string, dice: Dice): unknown {
  if (method.startsWith('Send')) return sending(dice);
  if (method === 'ListTasks')
    return {
      ...defined({
        contextId: dice.once(2) ? KNOWN(dice) : undefined,
        status: dice.once(3) ? dice.pick(['TASK_STATE_COMPLETED', 'x', hostileValue(dice)]) : undefined,
        pageToken: dice.once(3) ? hostileText(dice) : undefined,
        pageSize: dice.once(3) ? dice.pick([1, 100, 0, 2 ** 40, '5']) : undefined,
        statusTimestampAfter: dice.once(4)
          ? dice.pick(['2026-01-01T00:00:00Z', '9999-1', hostileText(dice)])
          : undefined,
      }),
    };
  return {
    id: dice.once(3) ? hostileText(dice) : KNOWN(dice),
    ...defined({ historyLength: dice.once(4) ? hostileValue(dice) : undefined }),
  };
}

const WISHES = [
  'help',
  'find a skill that compares JSON',
  'run json-diff',
  'show my tasks',
  'what is hot',
  'yes',
  'no',
  'run 1',
  'cancel task 1',
  'connections',
  'publish',
  'run inspect-json with {"text":"{}"}',
  'search weather mcp',
];

const sending = (dice: Dice) => ({
  message: {
    messageId: dice.once(6) ? hostileText(dice) : `m-${dice.below(1_000)}`,
    role: dice.once(12) ? dice.pick(['ROLE_AGENT', 1, 2, {}]) : 'ROLE_USER',
    parts: Array.from({ length: dice.once(10) ? 101 : 1 + dice.below(2) }, () => partOf(dice)),
    ...defined({ contextId: dice.once(3) ? KNOWN(dice) : undefined, taskId: dice.once(6) ? KNOWN(dice) : undefined }),
    ...defined(dice.once(6) ? { metadata: hostileValue(dice), extensions: hostileValue(dice) } : {}),
  },
  ...defined({
    configuration: dice.once(3)
      ? {
          returnImmediately: dice.once(2),
          acceptedOutputModes: dice.pick([['text/markdown'], ['x'], 5]),
        }
      : undefined,
  }),
});

function partOf(dice: Dice): unknown {
  if (dice.once(8))
    return dice.pick([{ raw: 'AAAA' }, { url: 'file:///etc/passwd' }, { data: hostileValue(dice) }, {}]);
  return { text: dice.once(2) ? dice.pick(WISHES) : hostileText(dice).slice(0, 5_000) };
}

function bodyOf(text: string, dice: Dice): FuzzRequest['body'] {
  if (dice.once(400)) return oversized(dice);
  switch (dice.below(24)) {
    case 0:
      return `[${text}]`;
    case 1:
      return spoilt(text, dice);
    case 2:
      return JSON.stringify(hostileValue(dice)) ?? '';
    case 3:
      return '{"a":'.repeat(dice.pick([64, 500, 100_000]));
    default:
      return text;
  }
}

import { defined } from '#core/defined.ts';
import type { Dice } from './dice.ts';
import { CREDENTIALS, type FuzzRequest, headersOf, oddType, oversized } from './rest-requests.ts';
import { fitting, KNOWN, nearly, spoilt } from './shapes.ts';
import { hostileText, hostileValue, objectOf } from './values.ts';

/** Messages to the MCP endpoint, of both eras and of none. */

export interface Offered {
  tools: { name: string; input_schema: object; example: object }[];
  resources: { uri_template: string }[];
  prompts: { name: string; arguments: { name: string }[] }[];
}

export function mcpRequest(offered: Offered, dice: Dice): FuzzRequest {
  const method = dice.pick(METHODS);
  const params = paramsOf(method, offered, dice);
  const isNewer = dice.once(3);
  const message = objectOf([
    ['jsonrpc', dice.once(40) ? dice.pick(['1.0', 2, null]) : '2.0'],
    ...(method.startsWith('notifications/') && !dice.once(10) ? [] : ([['id', idOf(dice)]] as [string, unknown][])),
    ['method', method],
    ...(dice.once(30) ? [] : ([['params', isNewer ? withMeta(params, dice) : params]] as [string, unknown][])),
  ]);
  return {
    method: dice.once(25) ? dice.pick(['GET', 'DELETE', 'PUT', 'OPTIONS']) : 'POST',
    target: '/mcp/jsonrpc',
    headers: {
      ...headersOf(dice),
      ...(dice.once(30) ? { 'content-type': oddType(dice) } : { 'content-type': 'application/json' }),
      ...defined({
        accept: dice.once(3) ? 'application/json, text/event-stream' : undefined,
        'mcp-session-id': dice.once(4) ? (dice.once(6) ? hostileText(dice).slice(0, 80) : '~session~') : undefined,
      }),
      ...(isNewer ? newerHeaders(method, params, dice) : {}),
      ...defined({ 'mcp-protocol-version': dice.once(8) ? dice.pick(VERSIONS) : undefined }),
    },
    body: bodyOf(message, dice),
    credential: dice.pick([...CREDENTIALS, 'none', 'none', 'full']),
  };
}

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2026-07-28', '1', '', '9999-99-99', 'x'];

const METHODS = [
  'tools/call',
  'tools/call',
  'tools/call',
  'tools/call',
  'tools/call',
  'tools/list',
  'resources/read',
  'resources/read',
  'resources/list',
  'resources/templates/list',
  'resources/subscribe',
  'prompts/list',
  'prompts/get',
  'prompts/get',
  'completion/complete',
  'completion/complete',
  'initialize',
  'initialize',
  'ping',
  'server/discover',
  'logging/setLevel',
  'notifications/initialized',
  'notifications/cancelled',
  'tasks/list',
  'notifications/progress',
  'skills/list',
  'skills/get',
  '__proto__',
  'toString',
  '',
  'tools/',
  'rpc.x',
  'a\0b',
];

const idOf = (dice: Dice): unknown =>
  dice.once(8) ? dice.pick([null, 0, -1, 1.5, '', 2 ** 53, {}, [1], true, '\ud800', 'x'.repeat(5_000)]) : 1;

function paramsOf(method: string, { tools, resources, prompts }: Offered, dice: Dice): unknown {
  const made = () => {
    switch (method) {
      case 'tools/call': {
        const tool = dice.pick(tools);
        const input = dice.once(2) ? tool.example : fitting(tool.input_schema, dice);
        return { name: tool.name, arguments: dice.once(2) ? nearly(input, dice) : input };
      }
      case 'resources/read':
      case 'resources/subscribe':
        return { uri: addressOf(dice.pick(resources).uri_template, dice) };
      case 'prompts/get': {
        const prompt = dice.pick(prompts);
        return { name: prompt.name, arguments: argumentsOf(prompt.arguments, dice) };
      }
      case 'completion/complete':
        return completion({ tools, resources, prompts }, dice);
      case 'initialize':
        return initialize(dice);
      case 'logging/setLevel':
        return { level: dice.pick(['debug', 'info', 'loud', '']) };
      case 'notifications/cancelled':
        return { requestId: idOf(dice), reason: hostileText(dice) };
      default:
        return dice.once(2) ? { cursor: cursorOf(dice) } : {};
    }
  };
  const params = made();
  return dice.once(5) ? nearly(params, dice) : params;
}

const cursorOf = (dice: Dice): string =>
  dice.pick(['', '0', '100.AAAAAAAAAAAAAAAAAAAAAA', '-1.x', '1e9', 'x'.repeat(50_000), hostileText(dice)]);

const addressOf = (template: string, dice: Dice): string =>
  template.replace(/\{\+?(\w+)\}/g, () => {
    const part = dice.once(3) ? dice.pick(['inspect-json', 'SKILL.md', 'smithery', '..', '%2e%2e', '%00']) : '';
    return part === '' ? (dice.once(2) ? KNOWN(dice) : hostileText(dice).slice(0, 3_000)) : part;
  });

const argumentsOf = (names: { name: string }[], dice: Dice) =>
  objectOf(names.map(({ name }) => [name, hostileText(dice)]));

function completion({ resources, prompts }: Offered, dice: Dice) {
  const prompt = dice.pick(prompts);
  const { uri_template: uri } = dice.pick(resources);
  const variables = [...uri.matchAll(/\{\+?(\w+)\}/g)].map(([, name]) => name as string);
  const named = dice.once(2)
    ? { ref: { type: 'ref/prompt', name: prompt.name }, name: dice.pick(prompt.arguments)?.name ?? 'x' }
    : { ref: { type: 'ref/resource', uri }, name: variables.length === 0 ? 'x' : dice.pick(variables) };
  const value = dice.once(2) ? dice.pick(['', 'a', 'in', 's']) : hostileText(dice).slice(0, 3_000);
  const given = objectOf(variables.map((name) => [name, hostileText(dice).slice(0, 100)]));
  return {
    ref: named.ref,
    argument: { name: named.name, value },
    ...defined({ context: dice.once(3) ? given : undefined }),
  };
}

const initialize = (dice: Dice) => ({
  protocolVersion: dice.pick(VERSIONS),
  capabilities: dice.pick([{}, { elicitation: {} }, { sampling: {}, roots: {} }, { elicitation: null }]),
  clientInfo: { name: 'fuzz', version: '1' },
});

const META = 'io.modelcontextprotocol/';

function withMeta(params: unknown, dice: Dice): unknown {
  if (typeof params !== 'object' || params === null) return params;
  const capabilities = dice.pick([{}, { elicitation: {} }, { elicitation: { form: {} } }, hostileValue(dice)]);
  const meta = {
    [`${META}protocolVersion`]: dice.once(10) ? hostileValue(dice) : '2026-07-28',
    [`${META}clientCapabilities`]: capabilities,
    ...defined({
      progressToken: dice.once(4) ? dice.pick([1, 'x', null, {}]) : undefined,
      traceparent: dice.once(8) ? hostileText(dice) : undefined,
    }),
  };
  const state = dice.once(8) ? { requestState: hostileText(dice), inputResponses: hostileValue(dice) } : {};
  return { ...params, ...state, _meta: meta };
}

function newerHeaders(method: string, params: unknown, dice: Dice): Record<string, string> {
  const { name, uri } = (params ?? {}) as { name?: unknown; uri?: unknown };
  const named = name ?? uri;
  return {
    'mcp-protocol-version': '2026-07-28',
    ...defined({
      'mcp-method': dice.once(20) ? undefined : dice.once(30) ? hostileText(dice).slice(0, 80) : method,
      'mcp-name': typeof named !== 'string' || dice.once(20) ? undefined : named.slice(0, 1_000),
    }),
  };
}

function bodyOf(message: object, dice: Dice): FuzzRequest['body'] {
  if (dice.once(400)) return oversized(dice);
  const text = JSON.stringify(message);
  switch (dice.below(24)) {
    case 0:
      return `[${text},${text}]`;
    case 1:
      return spoilt(text, dice);
    case 2:
      return JSON.stringify(hostileValue(dice)) ?? '';
    case 3:
      return `${'['.repeat(dice.pick([64, 65, 10_000, 500_000]))}`;
    case 4:
      return text.replace('"id":', '"id":7,"id":').replace('"params":{', '"params":{"__proto__":{"name":"x"},');
    case 5:
      return Buffer.from([...Buffer.from(text), 0xff]);
    case 6:
      return JSON.stringify({ jsonrpc: '2.0', id: idOf(dice), result: hostileValue(dice) });
    default:
      return text;
  }
}

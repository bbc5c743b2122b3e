import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Turn } from '#test/fakes/llm/turn.ts';
import { openLlmStand } from '#test/llm-stand.ts';
import { type ConverseOrder, converse, type Tool } from './converse.ts';
import { type Model, userMessage } from './model.ts';
import type { Models } from './models.ts';

const echo = (heard: unknown[] = []): Tool => ({
  name: 'echo',
  description: 'Says it again.',
  input_schema: { type: 'object', properties: { word: { type: 'string' } } },
  run: async (input) => {
    heard.push(input);
    return { text: JSON.stringify(input) };
  },
});

const order = (models: Models, more: Partial<ConverseOrder> = {}): ConverseOrder => ({
  model: models.pick() as Model,
  system: 'You are a test.',
  messages: [userMessage('hello')],
  tools: [echo()],
  limits: models.limits,
  signal: new AbortController().signal,
  ...more,
});

const say = (...words: string[]): Turn => ({ tool_calls: words.map((word) => ({ name: 'echo', input: { word } })) });

test('converse() runs tools until the model answers with text, streams its text and adds up tokens', async () => {
  await using stand = await openLlmStand();
  const turns = [{ text: 'First.', ...say('a', 'b') }, say('c'), { text: 'Done.' }];
  stand.llm.turn = (_request, number) => turns[number] as Turn;
  const heard: unknown[] = [];
  const told: [number, string][] = [];
  const on_text = (text: string, step: number) => void told.push([step, text]);
  const { text, steps, used, messages } = await converse(order(stand.models, { tools: [echo(heard)], on_text }));
  assert.deepEqual([text, steps, used], ['Done.', 3, { input_tokens: 300, output_tokens: 60 }]);
  assert.deepEqual(heard, [{ word: 'a' }, { word: 'b' }, { word: 'c' }]);
  assert.equal(
    told
      .map(([step, value]) => `${step}${value}`)
      .join('')
      .replaceAll(/\d/g, ''),
    'First.Done.',
  );
  assert.deepEqual([...new Set(told.map(([step]) => step))], [1, 3]);
  assert.deepEqual(
    messages.map((message) => message.role),
    ['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'],
  );
});

test('tokens are estimated if the provider does not report them, and count against the budget', async () => {
  await using stand = await openLlmStand({ max_tokens: 1_000, max_steps: 100 });
  stand.llm.turn = () => ({ ...say('x'.repeat(400)), usage: null });
  await assert.rejects(converse(order(stand.models)), { code: 'llm.limit_exceeded' });
  assert.ok(stand.llm.requests.length < 10, `${stand.llm.requests.length} requests`);
  stand.llm.turn = () => ({ text: 'x'.repeat(400), usage: null });
  const { used } = await converse(order(stand.models));
  assert.ok(used.input_tokens > 5 && used.output_tokens > 100 && used.output_tokens < 200, JSON.stringify(used));
});

test('only 32 tool calls of one model response run, but all 40 are answered', async () => {
  await using stand = await openLlmStand();
  const turns = [say(...Array.from({ length: 40 }, (_, n) => `${n}`)), { text: 'Done.' }];
  stand.llm.turn = (_request, number) => turns[number] as Turn;
  const heard: unknown[] = [];
  await converse(order(stand.models, { tools: [echo(heard)] }));
  assert.equal(heard.length, 32);
  const answers = stand.llm.requests[1]?.body.messages.filter((message: { role: string }) => message.role === 'tool');
  assert.equal(answers.length, 40);
});

test('tools receive an object: null counts as an empty one, and other values are not passed', async () => {
  await using stand = await openLlmStand();
  const inputs = [null, 'x', [1], { word: 'a' }];
  const turns: Turn[] = [{ tool_calls: inputs.map((input) => ({ name: 'echo', input })) }, { text: 'Done.' }];
  stand.llm.turn = (_request, number) => turns[number] as Turn;
  const heard: unknown[] = [];
  await converse(order(stand.models, { tools: [echo(heard)] }));
  assert.deepEqual(heard, [{}, { word: 'a' }]);
});

test('an abort between two tools throws its reason, and an exception of a tool propagates', async () => {
  await using stand = await openLlmStand();
  stand.llm.turn = () => say('a', 'b');
  const controller = new AbortController();
  const heard: unknown[] = [];
  const tool = { ...echo(heard) };
  const stop = {
    ...tool,
    run: async (input: unknown, signal: AbortSignal) => {
      controller.abort(new Error('enough'));
      return tool.run(input, signal);
    },
  };
  await assert.rejects(converse(order(stand.models, { tools: [stop], signal: controller.signal })), {
    message: 'enough',
  });
  assert.deepEqual([heard, stand.llm.requests.length], [[{ word: 'a' }], 1]);
  const broken = { ...tool, run: () => Promise.reject(new RangeError('a bug')) };
  await assert.rejects(converse(order(stand.models, { tools: [broken] })), RangeError);
});

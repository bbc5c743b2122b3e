import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Registry } from 'prom-client';
import { Problem } from '#core/problem/problem.ts';
import type { Turn } from '#test/fakes/llm/turn.ts';
import { LLM_KEY, openLlmStand } from '#test/llm-stand.ts';
import { seriesOf } from '#test/series.ts';
import { until } from '#test/until.ts';
import { instrumentedModels } from './instrumented.ts';
import { type Model, type ModelRequest, toolMessage, userMessage } from './model.ts';
import type { Models } from './models.ts';
import { PROVIDERS } from './settings.ts';

const lookUp = {
  name: 'look_up',
  description: 'Looks up a word.',
  input_schema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};

const ask = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: 'You are a test.',
  messages: [userMessage('hello')],
  max_output_tokens: 100,
  signal: new AbortController().signal,
  ...more,
});

const modelOf = (models: Models, id?: string): Model => models.pick(id) as Model;

async function problemOf(promise: Promise<unknown>): Promise<Problem> {
  const error = await promise.then(
    () => assert.fail('no failure'),
    (error) => error,
  );
  assert.ok(error instanceof Problem, inspect(error));
  assert.ok(!inspect(error, { depth: 10, showHidden: true }).includes(LLM_KEY), 'the key is in the error');
  return error;
}

for (const provider of PROVIDERS)
  test(`${provider}: streams text, makes a tool call with its result, and reports usage`, async () => {
    await using stand = await openLlmStand();
    const { llm, models } = stand;
    const registry = new Registry();
    const model = modelOf(instrumentedModels(models, registry), `${provider}/fake-1`);
    const turns: Turn[] = [
      { text: 'Let me see.', tool_calls: [{ name: 'look_up', input: { word: 'capstan' } }] },
      { text: 'A capstan is a winch. Ünïcode 錨.' },
    ];
    llm.turn = (_request, number) => turns[number] as Turn;
    let started = 0;
    const on_start = () => {
      started += 1;
    };
    const first = await model.generate(ask({ tools: [lookUp], on_start }));
    assert.deepEqual([first.text, first.finish_reason, started], ['Let me see.', 'tool-calls', 1]);
    const [call] = first.tool_calls;
    assert.deepEqual([call?.name, call?.input], ['look_up', { word: 'capstan' }]);
    assert.deepEqual([first.usage.input_tokens, first.usage.output_tokens], [100, 20]);
    const result = toolMessage([{ call: call as never, text: 'a winch; "quoted"', failed: false }]);
    const messages = [userMessage('hello'), ...first.messages, result];
    const deltas: string[] = [];
    for await (const part of model.stream(ask({ tools: [lookUp], messages })))
      if (part.type === 'text') deltas.push(part.text);
      else
        assert.deepEqual([part.answer.text, part.answer.finish_reason], ['A capstan is a winch. Ünïcode 錨.', 'stop']);
    assert.equal(deltas.join(''), 'A capstan is a winch. Ünïcode 錨.');
    if (provider !== 'google') assert.ok(deltas.length > 2);
    const [one, two] = llm.requests;
    assert.match(JSON.stringify(one?.body), /You are a test\./);
    assert.match(JSON.stringify(one?.body), /Looks up a word\./);
    assert.match(JSON.stringify(two?.body), /a winch; \\+"quoted\\+"/);
    if (provider === 'openai') assert.equal(one?.body.store, false);
    const counts = await seriesOf(registry, 'capstan_llm_');
    assert.ok(counts.includes(`capstan_llm_requests_total{provider="${provider}",outcome="ok"} 2`), `${counts}`);
    assert.ok(counts.includes(`capstan_llm_tokens_total{provider="${provider}",type="output"} 40`), `${counts}`);
  });

// The first does not say how long to wait; later retries would wait longer.
const retried: Turn['fault'][] = [
  { refuse: true },
  { status: 500, headers: { 'retry-after-ms': '1' } },
  { status: 529, headers: { 'retry-after-ms': '1' } },
  { status: 429, headers: { 'retry-after': '0' } },
];

for (const provider of PROVIDERS)
  test(`${provider}: retries until the provider responds, and answers once`, async () => {
    await using stand = await openLlmStand({ retries: 4 });
    const { llm, models } = stand;
    llm.turn = (_request, number) => {
      const fault = retried[number];
      return fault ? { fault } : { text: 'at last' };
    };
    const { text } = await modelOf(models, `${provider}/fake-1`).generate(ask());
    assert.deepEqual([text, llm.requests.length], ['at last', 5]);
  });

test('waits for Retry-After; a wait that is too long fails with the time to retry', async () => {
  await using stand = await openLlmStand({ timeout_ms: 300_000 });
  const { llm, models } = stand;
  const model = modelOf(models);
  // A timer of this process that begins earlier and is shorter ends earlier, however busy the machine is.
  const nearly: AbortSignal[] = [];
  llm.turn = (_request, number) => {
    if (number > 0) return {};
    nearly.push(AbortSignal.timeout(950));
    return { fault: { status: 429, headers: { 'retry-after': '1' } } };
  };
  await model.generate(ask());
  assert.equal(nearly[0]?.aborted, true, 'a second has passed');
  llm.turn = () => ({ fault: { status: 429, headers: { 'retry-after': '120' } } });
  const problem = await problemOf(model.generate(ask()));
  assert.deepEqual([problem.code, problem.headers['retry-after']], ['llm.unavailable', '120']);
  assert.equal(llm.requests.length, 3);
  llm.turn = () => ({ fault: { status: 503, headers: { 'retry-after': '3' } } });
  await problemOf(model.generate(ask({ ends_at_ms: performance.now() + 2_000 })));
  assert.equal(llm.requests.length, 4, 'no wait beyond the end of the caller’s time');
});

test('retries are limited, and a 400 or a redirect is not retried', async () => {
  await using stand = await openLlmStand({ retries: 1 });
  const { llm, models } = stand;
  const model = modelOf(models, 'anthropic/fake-1');
  llm.turn = () => ({ fault: { status: 500, headers: { 'retry-after-ms': '1' }, body: '<html>' } });
  assert.equal((await problemOf(model.generate(ask()))).code, 'llm.unavailable');
  assert.equal(llm.requests.length, 2);
  llm.turn = () => ({ fault: { status: 400 } });
  const refused = await problemOf(model.generate(ask()));
  assert.deepEqual(
    [refused.code, refused.message],
    ['llm.failed', 'Anthropic rejected the request (400): Something is wrong.'],
  );
  assert.equal(llm.requests.length, 3);
  llm.turn = () => ({ fault: { status: 302, headers: { location: 'http://127.0.0.1:1/' } } });
  assert.match((await problemOf(model.generate(ask()))).message, /its URL redirects/);
  assert.equal(llm.requests.length, 4);
});

for (const provider of PROVIDERS)
  test(`${provider}: a truncated or malformed stream fails without a retry`, async () => {
    await using stand = await openLlmStand();
    const { llm, models } = stand;
    const model = modelOf(models, `${provider}/fake-1`);
    const faults: Turn['fault'][] = [
      { cut: true },
      { cut: 'quietly' },
      { body: 'data: {"id": nonsense\n\n' },
      { body: 'data: {"type":"response.output_text.delta","choices":7,"candidates":7}\n\n', cut: 'quietly' },
    ];
    for (const [number, fault] of faults.entries()) {
      llm.turn = () => ({ text: 'This was to be a long answer.', fault: fault as object });
      const problem = await problemOf(model.generate(ask()));
      assert.deepEqual([problem.code, problem.reason], ['llm.failed', 'broken_answer'], inspect(fault));
      assert.doesNotMatch(problem.message, /long answer|nonsense/);
      assert.equal(llm.requests.length, number + 1, 'never sent again');
    }
  });

test('reports an unreachable provider and a wrong key, and redacts a key repeated by the provider', async () => {
  await using stand = await openLlmStand({ retries: 0 });
  await stand.llm.close();
  assert.equal((await problemOf(modelOf(stand.models).generate(ask()))).code, 'llm.unavailable');
  await using other = await openLlmStand();
  other.llm.turn = () => ({
    fault: { status: 401, body: JSON.stringify({ error: { message: `No: ${LLM_KEY}\u001b[2J` } }) },
  });
  const { code, message } = await problemOf(modelOf(other.models, 'openai/fake-1').generate(ask()));
  assert.deepEqual([code, message], ['llm.failed', 'OpenAI rejected the request (401): No: [redacted] [2J.']);
});

test('reports a timeout before and during the response, without a retry', async () => {
  await using stand = await openLlmStand({ timeout_ms: 150 });
  const { llm, models } = stand;
  for (const fault of [{ hang: true }, { stall: true }, { delay_ms: 1_000 }]) {
    llm.turn = () => ({ text: 'slow', fault });
    const hungUp = llm.hangUp();
    assert.equal((await problemOf(modelOf(models).generate(ask()))).code, 'llm.timeout');
    await hungUp;
  }
  assert.equal(llm.requests.length, 3, 'time that is up is not tried again');
});

for (const provider of PROVIDERS)
  test(`${provider}: an abort cancels the request at the provider and throws its reason`, async () => {
    await using stand = await openLlmStand();
    const { llm, models } = stand;
    const model = modelOf(models, `${provider}/fake-1`);
    for (const fault of [{ hang: true }, { stall: true }]) {
      llm.turn = () => ({ text: 'never whole', fault });
      const controller = new AbortController();
      const hungUp = llm.hangUp();
      const answer = model.generate(ask({ signal: controller.signal }));
      const count = llm.requests.length;
      await until('the request', () => llm.requests.length > count);
      controller.abort(new Error('no longer wanted'));
      await assert.rejects(answer, { message: 'no longer wanted' });
      await hungUp;
    }
  });

test('the request is cancelled when the caller stops reading, and an abort ends a wait for a retry', async () => {
  await using stand = await openLlmStand();
  const { llm, models } = stand;
  llm.turn = () => ({ text: 'x'.repeat(100), fault: { stall: true, body: chunk('first words') } });
  const hungUp = llm.hangUp();
  for await (const part of modelOf(models).stream(ask())) if (part.type === 'text') break;
  await hungUp;
  llm.turn = () => ({ fault: { status: 503, headers: { 'retry-after': '3' } } });
  const signal = AbortSignal.timeout(100);
  await assert.rejects(modelOf(models).generate(ask({ signal })), { name: 'TimeoutError' });
});

const chunk = (content: string): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content } }] })}\n\n`;

for (const provider of PROVIDERS)
  test(`${provider}: reports a truncated, filtered or malformed model response`, async () => {
    await using stand = await openLlmStand();
    const { llm, models } = stand;
    const model = modelOf(models, `${provider}/fake-1`);
    llm.turn = () => ({ text: 'half an ans', finish: 'length' });
    assert.equal((await model.generate(ask())).finish_reason, 'length');
    llm.turn = () => ({ text: '', finish: 'filter' });
    assert.equal((await problemOf(model.generate(ask()))).code, 'llm.filtered');
    if (provider === 'google') return;
    llm.turn = () => ({ tool_calls: [{ name: 'look_up', raw_input: '{"word": ' }] });
    const answer = await model.generate(ask({ tools: [lookUp] }));
    assert.equal(answer.tool_calls.length + answer.messages.filter((message) => message.role === 'tool').length, 1);
    llm.turn = () => ({ text: 'Sorry.' });
    await model.generate(ask({ tools: [lookUp], messages: [userMessage('hello'), ...answer.messages] }));
  });

test('a response over the maximum size fails as too large', async () => {
  await using stand = await openLlmStand();
  stand.llm.turn = () => ({ text: 'x', fault: { body: `: ${'x'.repeat(17 * 1024 * 1024)}\n\n` } });
  const problem = await problemOf(modelOf(stand.models).generate(ask()));
  assert.deepEqual(
    [problem.code, problem.message],
    ['llm.failed', 'Invalid response from The language model server: it was too large.'],
  );
});

import Type from 'typebox';
import type { Ask } from '#core/tools/asking.ts';
import type { Prompt } from '#core/tools/prompt.ts';
import type { Tool } from '#core/tools/tool.ts';
import { fixtureTool } from './plain-tools.ts';

/** Tools and a prompt of the conformance suite that ask their client for something. */

const form = (message: string, properties: object, required: string[] = Object.keys(properties)): Ask => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties, required } },
});
const sampling = (text: string, maxTokens: number): Ask => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens },
});
const roots: Ask = { method: 'roots/list', params: {} };

const string = { type: 'string' };
const name = form('What is your name?', { name: string });
const confirm = form('Please confirm', { ok: { type: 'boolean' } });
const options = ['option1', 'option2', 'option3'];
const titled = (values: string[]) => values.map((value) => ({ const: value, title: `The ${value}` }));

/** Answers what was answered, by the names that it was asked by. */
const asking = (name: string, asks: Record<string, Ask>): Tool =>
  fixtureTool(name, async ({ ask }) => JSON.stringify(await ask(asks)));

export const askingTools: Tool[] = [
  fixtureTool(
    'test_sampling',
    async ({ ask }, { prompt = '' }) => JSON.stringify(await ask({ answer: sampling(prompt, 100) })),
    Type.Object({ prompt: Type.String() }),
  ),
  fixtureTool(
    'test_elicitation',
    async ({ elicit }, { message = '' }) =>
      JSON.stringify(await elicit(message, Type.Object({ username: Type.String(), email: Type.String() }))),
    Type.Object({ message: Type.String() }),
  ),
  asking('test_elicitation_sep1034_defaults', {
    defaults: form('Fill this in', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  }),
  asking('test_elicitation_sep1330_enums', {
    choices: form('Choose', {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled(['value1', 'value2', 'value3']) },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled(['value1', 'value2', 'value3']) } },
    }),
  }),
  asking('test_streaming_elicitation', { user_name: name }),
  asking('test_missing_capability', { answer: sampling('Anything', 10) }),
  asking('test_input_required_result_elicitation', { user_name: name }),
  asking('test_input_required_result_sampling', {
    capital_question: sampling('What is the capital of France?', 100),
  }),
  asking('test_input_required_result_list_roots', { client_roots: roots }),
  asking('test_input_required_result_request_state', { confirm }),
  asking('test_input_required_result_tampered_state', { confirm }),
  asking('test_input_required_result_multiple_inputs', {
    user_name: name,
    greeting: sampling('Generate a greeting', 50),
    client_roots: roots,
  }),
  fixtureTool('test_input_required_result_multi_round', async ({ ask }) => {
    const first = await ask({ step1: form('Step 1: What is your name?', { name: string }) });
    const second = await ask({ step2: form('Step 2: What is your favorite color?', { color: string }) });
    return JSON.stringify({ ...first, ...second });
  }),
  fixtureTool('test_input_required_result_capabilities', async ({ can, ask }) => {
    const wanted: Record<string, Ask> = { user_name: name, greeting: sampling('Generate a greeting', 50) };
    const asked = Object.entries(wanted).filter(([, { method }]) => can(method));
    return JSON.stringify(await ask(Object.fromEntries(asked)));
  }),
];

export const askingPrompt: Prompt = {
  name: 'test_input_required_result_prompt',
  title: 'Asks',
  description: 'A prompt that asks.',
  arguments: [],
  messages: async (_values, { ask }) => {
    const context = form('What context should the prompt use?', { context: string });
    return [{ role: 'user', text: JSON.stringify(await ask({ user_context: context })) }];
  },
};

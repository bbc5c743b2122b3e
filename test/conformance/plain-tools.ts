import { setTimeout as sleep } from 'node:timers/promises';
import Type, { type TObject } from 'typebox';
import { coreProblem } from '#core/errors.ts';
import type { ContentBlock, Tool, ToolCall } from '#core/tools/tool.ts';

/** Tools that the conformance suite calls by name, as it describes them. Mounted for it alone. */

/** The least picture and the least sound: one red dot, and silence. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQAAAAA=';
const STEP_MS = 20;

type Answer = string | { text: string; blocks: ContentBlock[] };
type Act = (call: ToolCall, input: Record<string, string>) => Promise<Answer> | Answer;

export function fixtureTool(name: string, act: Act, input: TObject = Type.Object({})): Tool {
  return {
    name,
    title: name,
    description: `For the conformance suite: ${name}.`,
    scope: null,
    input,
    output: Type.Object({}),
    example: {},
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    run: async (values, call) => {
      const answer = await act(call, values as Record<string, string>);
      return typeof answer === 'string' ? { structured: {}, text: answer } : { structured: {}, ...answer };
    },
  };
}

const resource = (uri: string, mimeType: string, text: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text },
});
const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };

/** What of JSON Schema 2020-12 has to come through as it is. */
const wholeSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'address',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    way: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { way: { const: 'phone' } }, required: ['way'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as unknown as TObject;

export const plainTools: Tool[] = [
  fixtureTool('json_schema_2020_12_tool', () => 'It fits.', wholeSchema),
  fixtureTool('test_simple_text', () => 'A simple text.'),
  fixtureTool('test_image_content', () => ({ text: 'A picture:', blocks: [image] })),
  fixtureTool('test_audio_content', () => ({
    text: 'A sound:',
    blocks: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  })),
  fixtureTool('test_embedded_resource', () => ({
    text: 'A resource:',
    blocks: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource.')],
  })),
  fixtureTool('test_multiple_content_types', () => ({
    text: 'Several:',
    blocks: [image, resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}')],
  })),
  fixtureTool('test_error_handling', () => {
    throw coreProblem('http.invalid', 'This tool always fails.', { reason: 'input' });
  }),
  fixtureTool('test_tool_with_logging', async ({ log }) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      log('info', line);
      await sleep(STEP_MS);
    }
    return 'Logged.';
  }),
  fixtureTool('test_logging_tool', ({ log }) => {
    log('info', 'Nobody asked for this line.');
    return 'Done.';
  }),
  fixtureTool('test_tool_with_progress', async ({ progress }) => {
    for (const done of [0, 50, 100]) {
      progress(done, 100, `${done} of 100`);
      await sleep(STEP_MS);
    }
    return 'Done.';
  }),
];

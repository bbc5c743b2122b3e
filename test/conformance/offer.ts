import type { Offer } from '#core/tools/offer.ts';
import type { Prompt, PromptMessage } from '#core/tools/prompt.ts';
import type { ResourceTemplate } from '#core/tools/resource.ts';
import { askingPrompt, askingTools } from './asking-tools.ts';
import { PNG, plainTools } from './plain-tools.ts';

/** Everything that the conformance suite asks of a server by name. */

type Content = { media_type: string; content: string | Uint8Array };

const fixed = (uri: string, content: Content): ResourceTemplate => ({
  uri_template: uri,
  name: uri.slice('test://'.length),
  title: uri,
  media_type: content.media_type,
  description: `For the conformance suite: ${uri}.`,
  list: async () => [{ uri, name: uri, description: 'One of the suite.', media_type: content.media_type }],
  read: async () => content,
});

const resources: ResourceTemplate[] = [
  fixed('test://static-text', { media_type: 'text/plain', content: 'A static text.' }),
  fixed('test://static-binary', { media_type: 'image/png', content: Buffer.from(PNG, 'base64') }),
  fixed('test://watched-resource', { media_type: 'text/plain', content: 'A watched text.' }),
  {
    uri_template: 'test://template/{id}/data',
    name: 'template',
    title: 'By id',
    media_type: 'application/json',
    description: 'For the conformance suite: data by id.',
    read: async ({ id }) => ({ media_type: 'application/json', content: JSON.stringify({ id, templateTest: true }) }),
  },
];

const prompt = (
  name: string,
  names: string[],
  messages: (values: Record<string, string>) => PromptMessage[],
): Prompt => ({
  name,
  title: name,
  description: `For the conformance suite: ${name}.`,
  arguments: names.map((description) => ({
    name: description,
    description,
    required: true,
    complete: async (typed) => ['paris', 'park', 'party'].filter((value) => value.startsWith(typed)),
  })),
  messages: async (values) => messages(values),
});
const say = (text: string): PromptMessage => ({ role: 'user', text });

const prompts: Prompt[] = [
  prompt('test_simple_prompt', [], () => [say('A simple prompt.')]),
  prompt('test_prompt_with_arguments', ['arg1', 'arg2'], ({ arg1, arg2 }) => [say(`arg1='${arg1}', arg2='${arg2}'`)]),
  prompt('test_prompt_with_embedded_resource', ['resourceUri'], ({ resourceUri = '' }) => [
    {
      role: 'user',
      block: { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'An embedded text.' } },
    },
    say('Read the resource above.'),
  ]),
  prompt('test_prompt_with_image', [], () => [
    { role: 'user', block: { type: 'image', data: PNG, mimeType: 'image/png' } },
    say('Look at the picture above.'),
  ]),
  askingPrompt,
];

export const conformanceOffer: Offer = { tools: [...plainTools, ...askingTools], resources, prompts, extensions: [] };

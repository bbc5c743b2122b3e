import { Type } from '#core/json-schema/type.ts';
import type { Prompt, PromptMessage } from '#core/tools/prompt.ts';
import type { Paginate } from '../pages.ts';
import { RPC, RpcError } from '../rpc.ts';
import { ListParams, type Method, method } from './method.ts';

const GetParams = Type.Object({
  name: Type.String({ maxLength: 200 }),
  arguments: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 20_000 }))),
});

interface GetPromptParams {
  name: string;
  arguments?: Record<string, string>;
}

export function promptMethods(prompts: readonly Prompt[], paginate: Paginate): Record<string, Method> {
  const described = prompts.map(({ name, title, description, arguments: all }) => ({
    name,
    title,
    description,
    arguments: all.map((argument) => ({
      name: argument.name,
      description: argument.description,
      required: argument.required,
    })),
  }));
  return {
    'prompts/list': method<{ cursor?: string }>({
      params: ListParams,
      answer: async ({ cursor }) => {
        const { items, ...next } = paginate('prompts', described, cursor);
        return { prompts: items, ...next };
      },
    }),
    'prompts/get': method<GetPromptParams>({
      params: GetParams,
      asks: true,
      answer: async ({ name, arguments: values = {} }, { asking }) => {
        const prompt = promptNamed(prompts, name);
        const missing = prompt.arguments.filter(
          (argument) => argument.required && (values[argument.name] ?? '') === '',
        );
        if (missing.length > 0)
          throw new RpcError(
            RPC.invalid_params,
            `Missing arguments: ${missing.map((argument) => argument.name).join(', ')}.`,
          );
        const messages = await prompt.messages(values, asking);
        return { description: prompt.description, messages: messages.map(messageOf) };
      },
    }),
  };
}

export function promptNamed(prompts: readonly Prompt[], name: string): Prompt {
  const prompt = prompts.find((prompt) => prompt.name === name);
  if (prompt !== undefined) return prompt;
  throw new RpcError(
    RPC.invalid_params,
    `Prompt not found. Available: ${prompts.map((prompt) => prompt.name).join(', ')}.`,
  );
}

const messageOf = (message: PromptMessage) => ({
  role: message.role,
  content: 'text' in message ? { type: 'text', text: message.text } : message.block,
});

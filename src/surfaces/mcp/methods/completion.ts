import { Type } from '#core/json-schema/type.ts';
import type { Offer } from '#core/tools/offer.ts';
import { RPC, RpcError } from '../rpc.ts';
import { type Method, method } from './method.ts';
import { promptNamed } from './prompts.ts';

/** `completion/complete`: suggests values for an argument of a prompt or a variable of a URI template. */

const MAX_VALUES = 100;

const Params = Type.Object({
  ref: Type.Union([
    Type.Object({ type: Type.Literal('ref/prompt'), name: Type.String({ maxLength: 200 }) }),
    Type.Object({ type: Type.Literal('ref/resource'), uri: Type.String({ maxLength: 2_048 }) }),
  ]),
  argument: Type.Object({ name: Type.String({ maxLength: 200 }), value: Type.String({ maxLength: 2_048 }) }),
  context: Type.Optional(
    Type.Object({ arguments: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 2_048 }))) }),
  ),
});

interface CompleteParams {
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
  argument: { name: string; value: string };
  context?: { arguments?: Record<string, string> };
}

export function completionMethods({ prompts, resources }: Offer): Record<string, Method> {
  const valuesFor = async ({ ref, argument: { name, value }, context }: CompleteParams): Promise<string[]> => {
    if (ref.type === 'ref/prompt') {
      const known = promptNamed(prompts, ref.name).arguments.find((argument) => argument.name === name);
      return (await known?.complete?.(value)) ?? [];
    }
    const template = resources.find((resource) => resource.uri_template === ref.uri);
    if (template === undefined) throw new RpcError(RPC.invalid_params, 'Resource template not found.');
    return (await template.complete?.(name, value, context?.arguments ?? {})) ?? [];
  };
  return {
    'completion/complete': method<CompleteParams>({
      params: Params,
      answer: async (asked) => {
        const values = await valuesFor(asked);
        return { completion: { values: values.slice(0, MAX_VALUES), hasMore: values.length > MAX_VALUES } };
      },
    }),
  };
}

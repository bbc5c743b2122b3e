import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import {
  offeredPrompt,
  offeredPrompts,
  offeredResource,
  offeredResources,
  offeredTemplates,
} from '#connections/endpoints/offered-content.ts';
import { defined } from '#core/defined.ts';
import { Type } from '#core/json-schema/type.ts';
import { ListParams, type Method, method, type Turn } from '#surfaces/mcp/methods/method.ts';
import { traceparentIn } from '#surfaces/mcp/tool-call.ts';
import { endpointIn } from './endpoint-caller.ts';

/** `prompts/*` and `resources/*` for the connections of an endpoint. */

const UriParams = Type.Object({ uri: Type.String({ minLength: 1, maxLength: 2_048 }) });
const PromptParams = Type.Object({
  name: Type.String({ maxLength: 200 }),
  arguments: Type.Optional(Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 20_000 }))),
});

export function contentMethods(connections: ConnectionsDeps): Record<string, Method> {
  const of = (turn: Turn) => ({
    endpoint: endpointIn(turn),
    from: { signal: turn.context.mcpReq.signal, traceparent: traceparentIn(turn) },
  });
  return {
    'prompts/list': method<{ cursor?: string }>({
      params: ListParams,
      answer: async (_params, turn) => {
        const { endpoint, from } = of(turn);
        const { items, unavailable } = await offeredPrompts(connections, endpoint, from);
        return { prompts: items.map(titled), _meta: stateOf(unavailable) };
      },
    }),
    'prompts/get': method<{ name: string; arguments?: Record<string, string> }>({
      params: PromptParams,
      answer: async ({ name, arguments: args = {} }, turn) => {
        const { endpoint, from } = of(turn);
        const { description, messages, trace_id } = await offeredPrompt(
          connections,
          endpoint,
          { name, arguments: args },
          from,
        );
        return { description, messages, _meta: { 'capstan/trace_id': trace_id } };
      },
    }),
    'resources/list': method<{ cursor?: string }>({
      params: ListParams,
      answer: async (_params, turn) => {
        const { endpoint, from } = of(turn);
        const { items, unavailable } = await offeredResources(connections, endpoint, from);
        const resources = items.map(({ media_type, size, ...resource }) => ({
          ...titled(resource),
          ...defined({ mimeType: media_type ?? undefined, size: size ?? undefined }),
        }));
        return { resources, _meta: stateOf(unavailable) };
      },
    }),
    'resources/templates/list': method<{ cursor?: string }>({
      params: ListParams,
      answer: async (_params, turn) => {
        const { endpoint, from } = of(turn);
        const { items, unavailable } = await offeredTemplates(connections, endpoint, from);
        const resourceTemplates = items.map(({ media_type, uri_template: uriTemplate, ...template }) => ({
          ...titled(template),
          uriTemplate,
          ...defined({ mimeType: media_type ?? undefined }),
        }));
        return { resourceTemplates, _meta: stateOf(unavailable) };
      },
    }),
    'resources/read': method<{ uri: string }>({
      params: UriParams,
      answer: async ({ uri }, turn) => {
        const { endpoint, from } = of(turn);
        const contents = await offeredResource(connections, endpoint, uri, from);
        return {
          contents: contents.map(({ uri: at, media_type, text, blob }) => ({
            uri: at,
            ...defined({ mimeType: media_type ?? undefined, text: text ?? undefined, blob: blob ?? undefined }),
          })),
        };
      },
    }),
  };
}

const stateOf = (unavailable: object[]) => ({ 'capstan/state': { unavailable } });

/** A title that the server does not give is left out. */
const titled = <T extends { title: string }>({ title, ...rest }: T) => ({
  ...rest,
  ...defined({ title: title === '' ? undefined : title }),
});

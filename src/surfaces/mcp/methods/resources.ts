import { defined } from '#core/defined.ts';
import type { Caller } from '#core/http/caller.ts';
import { Type } from '#core/json-schema/type.ts';
import type { ResourceTemplate } from '#core/tools/resource.ts';
import type { ResourceLink } from '#core/tools/tool.ts';
import { surfacesProblem } from '#surfaces/errors.ts';
import { linkOf } from '../link.ts';
import type { Paginate } from '../pages.ts';
import { RPC, RpcError } from '../rpc.ts';
import { uriTemplate } from '../uri-template.ts';
import { ListParams, type Method, method } from './method.ts';

/** `resources/*`: the first matching template reads a URI. */

const MAX_BYTES = 1_048_576;
const UriParams = Type.Object({ uri: Type.String({ minLength: 1, maxLength: 2_048 }) });

export function resourceMethods(templates: readonly ResourceTemplate[], paginate: Paginate): Record<string, Method> {
  const known = templates.map((template) => ({ template, address: uriTemplate(template.uri_template) }));
  const described = known
    .filter(({ address }) => address.variables.length > 0)
    .map((entry) => describe(entry.template));
  return {
    'resources/list': method<{ cursor?: string }>({
      params: ListParams,
      answer: async ({ cursor }, { exchange: { caller } }) => {
        const { items, ...next } = paginate('resources', await listAll(templates, caller), cursor);
        return { resources: items.map(linkOf), ...next };
      },
    }),
    'resources/templates/list': method<{ cursor?: string }>({
      params: ListParams,
      answer: async ({ cursor }) => {
        const { items, ...next } = paginate('templates', described, cursor);
        return { resourceTemplates: items, ...next };
      },
    }),
    'resources/read': method<{ uri: string }>({
      params: UriParams,
      asks: true,
      answer: async ({ uri }, { exchange: { caller } }) => {
        for (const { template, address } of known) {
          const variables = address.match(uri);
          const content = variables === null ? null : await template.read(variables, caller);
          if (content !== null) return { contents: [contentOf(uri, content)] };
        }
        throw new RpcError(RPC.invalid_params, 'Resource not found.', { uri });
      },
    }),
    // Accepted, so that clients which always subscribe do not fail; resources never change without a new URI.
    'resources/subscribe': { params: UriParams, answer: async () => ({}) },
    'resources/unsubscribe': { params: UriParams, answer: async () => ({}) },
  };
}

async function listAll(templates: readonly ResourceTemplate[], caller: Caller | null): Promise<ResourceLink[]> {
  return (await Promise.all(templates.map(async (template) => (await template.list?.(caller)) ?? []))).flat();
}

const describe = ({ uri_template, name, title, description, media_type }: ResourceTemplate) => ({
  uriTemplate: uri_template,
  name,
  title,
  description,
  ...defined({ mimeType: media_type ?? undefined }),
});

function contentOf(uri: string, resource: { media_type: string; content: string | Uint8Array }) {
  const { media_type: mimeType, content } = resource;
  if (content.length > MAX_BYTES)
    throw surfacesProblem('mcp.result_too_large', 'The resource exceeds 1 MiB. Read it over HTTP.');
  return typeof content === 'string'
    ? { uri, mimeType, text: content }
    : { uri, mimeType, blob: Buffer.from(content).toString('base64') };
}

import type {
  Client,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  RequestOptions,
  Resource,
  ResourceTemplateType,
} from '@modelcontextprotocol/client';

/** Resources and prompts of an untrusted server. */

export interface ContentVerbs {
  /** Every resource and template, page by page; both empty if the server offers none. The first of a URI or name counts. */
  listResources(): Promise<ResourceListing>;
  /** Null if the server offers no resources. */
  readResource(call: ResourceCall): Promise<ReadResourceResult | null>;
  /** Empty if the server offers none. */
  listPrompts(): Promise<Prompt[]>;
  /** Null if the server offers no prompts. */
  getPrompt(call: PromptCall): Promise<GetPromptResult | null>;
}

interface ResourceListing {
  resources: Resource[];
  templates: ResourceTemplateType[];
}

interface ResourceCall {
  uri: string;
  /** W3C trace context, as in a header. */
  traceparent?: string | undefined;
}

interface PromptCall {
  name: string;
  arguments: Record<string, string>;
  traceparent?: string | undefined;
}

/** The client would print a line to standard output for a list that the server does not offer, so it is not asked. */
export function contentVerbs(client: Client, options: RequestOptions): ContentVerbs {
  const { resources, prompts } = client.getServerCapabilities() ?? {};
  const fresh = { ...options, cacheMode: 'bypass' } as const;
  return {
    listResources: async () => {
      if (resources === undefined) return { resources: [], templates: [] };
      const listed = await client.listResources(undefined, fresh);
      const { resourceTemplates } = await client.listResourceTemplates(undefined, fresh).catch(noneIfUnknown);
      return {
        resources: firstOf(listed.resources, ({ uri }) => uri),
        templates: firstOf(resourceTemplates, ({ uriTemplate }) => uriTemplate),
      };
    },
    readResource: async ({ uri, traceparent }) =>
      resources === undefined ? null : client.readResource({ uri, ...metaOf(traceparent) }, fresh),
    listPrompts: async () =>
      prompts === undefined ? [] : firstOf((await client.listPrompts(undefined, fresh)).prompts, ({ name }) => name),
    getPrompt: async ({ name, arguments: args, traceparent }) =>
      prompts === undefined ? null : client.getPrompt({ name, arguments: args, ...metaOf(traceparent) }, options),
  };
}

/** Many servers have resources without templates, and do not know the method. */
function noneIfUnknown(error: unknown): { resourceTemplates: ResourceTemplateType[] } {
  if (isMethodUnknown(error)) return { resourceTemplates: [] };
  throw error;
}

const METHOD_NOT_FOUND = -32_601;

/** Stateless servers answer with status 404, and the client reports that instead of the error in the body. */
function isMethodUnknown(error: unknown): boolean {
  const { code, data } = error as { code?: unknown; data?: { status?: unknown; text?: unknown } };
  if (code === METHOD_NOT_FOUND) return true;
  return data?.status === 404 && String(data.text).slice(0, 1_000).includes(`"code":${METHOD_NOT_FOUND}`);
}

const metaOf = (traceparent: string | undefined) => (traceparent === undefined ? {} : { _meta: { traceparent } });

function firstOf<T>(listed: readonly T[], keyOf: (item: T) => string): T[] {
  const found = new Map<string, T>();
  for (const item of listed) if (!found.has(keyOf(item))) found.set(keyOf(item), item);
  return [...found.values()];
}

import { Type } from '#core/json-schema/type.ts';
import { type RunTool, tool } from '#core/tools/tool.ts';
import { DATA_NOTE, Next, nextText, plain, quoted, schemaShown } from '#core/tools/words.ts';
import { type DiscoveredTool, OWN_SERVER, OWN_SKILLS, splitRef } from '../shapes.ts';
import type { SearchTools } from '../tool-search.ts';

/** The search of tools for models. */

const text = Type.String();

const Found = Type.Object({
  name: text,
  server: text,
  description: text,
  input_schema: Type.Unknown(),
  capability: Type.Union([Type.Object({ kind: text, ref: text }), Type.Null()]),
  next: Next,
});

export const discoveryTools = ({ search }: { search: SearchTools }) =>
  tool({
    name: 'discovery_tools',
    title: 'Find a tool',
    description:
      'Finds single tools of this service and of listed servers by what they do, best match first, with their input schemas. ' +
      'Use it for one function, such as "convert currencies"; to choose a server or a skill, use marketplace_search. Each ' +
      'result includes the next call to make: replace the values in {braces}.',
    scope: null,
    input: Type.Object(
      {
        query: Type.String({
          minLength: 1,
          maxLength: 200,
          pattern: '\\S',
          description: 'What the tool should do, in a few words.',
        }),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 20, default: 5, description: 'Maximum number of results.' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({ total_count: Type.Integer(), items: Type.Array(Found) }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { query: 'compare two JSON documents', limit: 3 },
    run: async ({ query, limit = 5 }, { run_tool }) => {
      const { items, total_count } = await search({ search: query, limit, offset: 0 });
      const structured = { total_count, items: items.map((found) => shown(found, run_tool)) };
      return { structured, text: textOf(structured, query) };
    },
  });

type Shown = ReturnType<typeof shown>;

function shown(found: DiscoveredTool, runTool: RunTool | null) {
  const { name, server, description, input_schema, capability } = found;
  return {
    name,
    server: plain(server.name, 80),
    description: plain(description, 300),
    input_schema: input_schema === null ? null : schemaShown(input_schema),
    capability,
    next: nextOf(found, runTool),
  };
}

function nextOf({ name, server, capability, input_schema }: DiscoveredTool, runTool: RunTool | null): Next {
  const given = requiredOf(input_schema);
  if (server.id === OWN_SERVER) return { tool: name, arguments: given };
  if (server.id === OWN_SKILLS) return { tool: 'registry_get_skill', arguments: { name } };
  const ref = capability?.ref ?? server.id;
  if (runTool === null) return { tool: 'registry_get_listing', arguments: withProvider(ref) };
  const input = { tool: name, arguments: given };
  return { tool: runTool, arguments: runTool === 'task_run' ? { ref, input } : { capability: { ref }, input } };
}

const MOST_REQUIRED = 10;

/** The required arguments, each with its own name as the value to replace. */
function requiredOf(schema: Record<string, unknown> | null): Record<string, string> {
  const names: unknown[] = Array.isArray(schema?.required) ? schema.required.slice(0, MOST_REQUIRED) : [];
  const texts = names.filter((name) => typeof name === 'string').map((name) => plain(name, 80));
  return Object.fromEntries(texts.map((name) => [name, `{${name}}`]));
}

function withProvider(ref: string) {
  const { provider_id, external_id } = splitRef(ref);
  return { provider: provider_id, external_id };
}

function textOf({ total_count, items }: { total_count: number; items: Shown[] }, query: string): string {
  if (items.length === 0)
    return `No tool matches ${quoted(query, 100)}. Call marketplace_search to find a server or a skill.`;
  return [`${total_count} match, best first. ${DATA_NOTE}`, ...items.map(line)].join('\n');
}

const line = ({ name, server, description, next }: Shown, at: number): string =>
  `${at + 1}. the tool ${quoted(name, 80)} of ${quoted(server, 80)}: ${quoted(description, 300)}\n   next: ${nextText(next)}`;

import type { ListingSearch } from '#catalog/search/listing-search.ts';
import { Type } from '#core/json-schema/type.ts';
import { tool } from '#core/tools/tool.ts';
import { plain } from '#core/tools/words.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';

/** For the agent only: MCP clients see these skills as resources. */

const text = Type.String();
const MOST = 6;

interface SkillSearchDeps {
  skills: Pick<SkillStore, 'get'>;
  search: Pick<ListingSearch, 'builtIn'>;
}

export const skillSearch = ({ skills, search }: SkillSearchDeps) =>
  tool({
    name: 'skill_search',
    title: 'Search built-in skills',
    description:
      'Search the built-in skills of this service and their inputs. Search here first: they need no ' +
      'installation. Use registry_search for other capabilities.',
    scope: null,
    input: Type.Object(
      { query: Type.String({ minLength: 1, maxLength: 200, description: 'Keywords or a name.' }) },
      { additionalProperties: false },
    ),
    output: Type.Object({
      items: Type.Array(
        Type.Object({
          name: text,
          description: text,
          execution_class: text,
          input_schema: Type.Unknown(),
          example: Type.Unknown(),
        }),
      ),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { query: 'json' },
    run: async ({ query }) => {
      const found = await search.builtIn(query.toWellFormed(), MOST);
      const items = found
        .flatMap(({ name }) => skills.get(name) ?? [])
        .map(({ name, description, execution_class, input_schema, example }) => ({
          name,
          description: plain(description, 300),
          execution_class,
          input_schema,
          example,
        }));
      const lines = items.map(
        (item) =>
          `- ${item.name} (${item.execution_class}): ${item.description}${item.example === null ? '' : `\n  for example: ${JSON.stringify(item.example.input).slice(0, 400)}`}`,
      );
      const none = 'No built-in skill matches. Try registry_search.';
      return { structured: { items }, text: lines.length === 0 ? none : lines.join('\n') };
    },
  });

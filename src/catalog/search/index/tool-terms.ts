import { isRecord } from '#core/record.ts';
import { tokenize } from '../text/tokenize.ts';
import { TOOL_RANKING, type ToolField } from '../tool-ranking.ts';
import { type WeightedTerm, weighFields } from './field-weights.ts';
import type { ToolText } from './tool-text.ts';

/** Characters of each text, and arguments of a tool. */
const MOST = { name: 200, title: 200, server: 200, summary: 600, details: 1_400, argument: 100, explained: 200 };
const MOST_ARGUMENTS = 30;
const MOST_TERMS = 160;

/** The terms of a tool with their BM25F values. */
export const weighTool = (tool: ToolText): WeightedTerm[] =>
  weighFields(termsByField(tool), TOOL_RANKING.fields)
    .sort((a, b) => b.value - a.value)
    .slice(0, MOST_TERMS);

function termsByField({ name, title, description, input_schema, server }: ToolText): Record<ToolField, string[]> {
  const { summary, details } = partsOf(description.slice(0, MOST.summary + MOST.details));
  const known = argumentsIn(input_schema);
  return {
    name: identifierTerms(name.slice(0, MOST.name)),
    title: tokenize(title.slice(0, MOST.title)),
    server: tokenize(server.slice(0, MOST.server)),
    summary: tokenize(summary),
    details: tokenize(details),
    arguments: known.flatMap((argument) => identifierTerms(argument.name)),
    explained: known.flatMap((argument) => tokenize(argument.description)),
  };
}

/** Words of `snake_case`, `kebab-case` and `camelCase`. */
const identifierTerms = (name: string): string[] =>
  tokenize(name.toWellFormed().replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' '));

/** Where descriptions that are made from comments turn to arguments and results. */
const SECTION = /\b(?:args|arguments|parameters|params|returns|raises|examples?|note|notes|usage)\s?:/i;

/** What a tool does, and the rest of what its description says. */
function partsOf(description: string): { summary: string; details: string } {
  const found = description.search(SECTION);
  const end = Math.min(found <= 0 ? description.length : found, MOST.summary);
  return { summary: description.slice(0, end), details: description.slice(end, end + MOST.details) };
}

function argumentsIn(schema: unknown): { name: string; description: string }[] {
  const properties = isRecord(schema) ? schema.properties : null;
  if (!isRecord(properties)) return [];
  const found: { name: string; description: string }[] = [];
  for (const name in properties) {
    if (found.length === MOST_ARGUMENTS) break;
    const property = properties[name];
    const description = isRecord(property) && typeof property.description === 'string' ? property.description : '';
    found.push({ name: name.slice(0, MOST.argument), description: description.slice(0, MOST.explained) });
  }
  return found;
}

/** Words that many names of tools have and that distinguish none of them. */
const COMMON_IN_NAMES = new Set('get the a an of for and by to with in tool mcp api'.split(' '));

/** The number of distinctive words in a name. At most 255. */
export function toolNameLength(name: string): number {
  const words = new Set(identifierTerms(name.slice(0, MOST.name)));
  const distinctive = [...words].filter((word) => !COMMON_IN_NAMES.has(word)).length;
  return Math.min(255, distinctive === 0 ? words.size : distinctive);
}

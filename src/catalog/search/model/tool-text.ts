import { isRecord } from '#core/record.ts';
import type { DocumentTool, ToolText } from '../index/tool-text.ts';

/** What models are given of tools. */

/** Characters of each part. A name that is longer names nothing, and keys of tables are limited. */
const MOST = { name: 200, server: 100, title: 200, description: 1_000, argument: 60 };
const MOST_ARGUMENTS = 20;

/** What an embedding model is given of a tool. */
export function embeddedTool({ name, title, description, input_schema, server }: ToolText): string {
  const of = server === '' ? '' : ` of ${server.slice(0, MOST.server)}`;
  const lines = [
    `${name.slice(0, MOST.name)} (tool${of})`,
    title === name ? '' : title.slice(0, MOST.title),
    description.slice(0, MOST.description),
    argumentsIn(input_schema).join(', '),
  ];
  return lines
    .filter((line) => line !== '')
    .join('\n')
    .toWellFormed();
}

function argumentsIn(schema: unknown): string[] {
  const properties = isRecord(schema) ? schema.properties : null;
  if (!isRecord(properties)) return [];
  const names: string[] = [];
  for (const name in properties) {
    if (names.length === MOST_ARGUMENTS) break;
    names.push(name.slice(0, MOST.argument));
  }
  return names;
}

/** The tools of a capability that can have a vector, by name: of several with one name the first, as their server answers with it. */
export function embeddableTools(tools: readonly DocumentTool[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const tool of tools)
    if (isNameable(tool.name) && !texts.has(tool.name)) texts.set(tool.name, embeddedTool(tool));
  return texts;
}

/** No database stores NUL or half a character in a text. */
const isNameable = (name: string): boolean =>
  name !== '' && name.length <= MOST.name && name.isWellFormed() && !name.includes('\0');

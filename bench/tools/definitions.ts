import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ToolText } from '#catalog/search/index/tool-text.ts';
import { dataFile } from '#test/test-data.ts';

/** A real definition of a tool. */
export interface Definition extends ToolText {
  /** Of name and description, so that requests need no copy of them. */
  id: string;
}

export interface ToolRequest {
  /** The id of the tool that is meant. */
  tool: string;
  set: 'tuning' | 'held' | 'second' | 'third' | 'fourth';
  text: string;
}

const idOf = (name: string, description: string): string =>
  createHash('sha256').update(`${name}\n${description}`).digest('hex').slice(0, 12);

/** `tools/definitions.jsonl` of CAPSTAN_TEST_DATA, or the tools of the servers in `docker/`; none without it. */
export function readDefinitions(): Definition[] {
  const file = dataFile('tools/definitions.jsonl');
  if (file === null) return definitionsOfServers();
  return linesOf<Record<'name' | 'title' | 'description' | 'server', string> & { input_schema: unknown }>(file).map(
    ({ name, title, description, server, input_schema }) => ({
      id: idOf(name, description),
      name,
      title,
      description,
      server,
      input_schema,
    }),
  );
}

interface ServerTool {
  name: string;
  description?: string;
  arguments?: { name: string; desc?: string }[] | null;
}

function definitionsOfServers(): Definition[] {
  const file = dataFile('docker/servers_2026-07-08.jsonl');
  if (file === null) return [];
  return linesOf<{ dir: string; tools_json: string | null }>(file).flatMap(({ dir, tools_json }) =>
    toolsIn(tools_json).map(({ name, description = '', arguments: known }) => ({
      id: idOf(name, description),
      name,
      title: '',
      description,
      server: dir,
      input_schema: {
        properties: Object.fromEntries((known ?? []).map((one) => [one.name, { description: one.desc ?? '' }])),
      },
    })),
  );
}

function toolsIn(json: string | null): ServerTool[] {
  try {
    const tools: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(tools) ? (tools as ServerTool[]).filter(({ name }) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

const linesOf = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

/** Requests and the ids of the tools that they mean. */
export const readRequests = (): ToolRequest[] =>
  (JSON.parse(readFileSync(new URL('../tool-requests.json', import.meta.url), 'utf8')) as { requests: ToolRequest[] })
    .requests;

/** Words of a request. A shorter first sentence ends it. */
const [LEAST_WORDS, MOST_WORDS] = [4, 12];

/** A request in the tool's own words: how its description begins. */
export function wordsOf({ description }: Definition): string {
  const words = description.trim().split(/\s+/).slice(0, MOST_WORDS);
  const end = words.findIndex((word, at) => at + 1 >= LEAST_WORDS && /[.!?:]$/.test(word));
  return words.slice(0, end === -1 ? MOST_WORDS : end + 1).join(' ');
}

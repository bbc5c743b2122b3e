import type { Tool } from '@modelcontextprotocol/client';
import canonicalize from 'canonicalize';
import { sha256 } from '#core/crypto/sha256.ts';
import { defined } from '#core/defined.ts';
import { isRecord } from '#core/record.ts';

/** The pinned definition of a tool of a connection, and the differences between two of them. Pure. */

/** Everything that affects how a tool is chosen and called. The hash is over its canonical JSON. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  input_schema: Record<string, unknown>;
  output_schema: Record<string, unknown> | null;
  annotations: Record<string, unknown>;
}

export interface KnownTool {
  tool: Tool;
  definition: ToolDefinition;
  /** `sha256:<hex>`. */
  hash: string;
}

export function definitionOf(tool: Tool): ToolDefinition {
  const { name, title = '', description = '', inputSchema, outputSchema = null, annotations = {} } = tool;
  return {
    name,
    title,
    description,
    annotations: annotations as Record<string, unknown>,
    input_schema: inputSchema,
    output_schema: outputSchema as Record<string, unknown> | null,
  };
}

export function knownTool(tool: Tool): KnownTool {
  const definition = definitionOf(tool);
  return { tool, definition, hash: `sha256:${sha256(textOf(definition))}` };
}

export const textOf = (definition: ToolDefinition): string => canonicalize(definition) as string;

interface Difference {
  /** JSON Pointer into the definition. */
  pointer: string;
  /** Absent if there was none. */
  before?: unknown;
  after?: unknown;
}

const MOST_SHOWN = 50;

/** Returns up to 50 differences between two definitions. */
export function differencesOf(before: ToolDefinition, after: ToolDefinition): Difference[] {
  const found: Difference[] = [];
  collect('', before, after, found);
  return found;
}

function collect(pointer: string, before: unknown, after: unknown, found: Difference[]): void {
  if (found.length >= MOST_SHOWN || canonicalize(before) === canonicalize(after)) return;
  if (!isRecord(before) || !isRecord(after)) {
    found.push({
      pointer,
      ...defined({
        before: before === undefined ? undefined : shortened(before),
        after: after === undefined ? undefined : shortened(after),
      }),
    });
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const step = key.replaceAll('~', '~0').replaceAll('/', '~1');
    collect(`${pointer}/${step}`, own(before, key), own(after, key), found);
  }
}

const MOST_CHARACTERS = 2_000;

/** Problems should stay small; the tool list has the whole value. */
function shortened(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length <= MOST_CHARACTERS ? value : `${text.slice(0, MOST_CHARACTERS).toWellFormed()}…`;
}

const own = (before: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(before, key) ? before[key] : undefined;
/** Names are untrusted: removes everything that a log or terminal should not receive. */
export const plainName = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}')
    .slice(0, 128)
    .toWellFormed();

import type { Tool } from '@modelcontextprotocol/client';
import { fold } from '#catalog/changes/fold.ts';
import { distinct } from '#catalog/checks/findings.ts';
import { storable } from '#catalog/items/listing-row.ts';
import { hintsIn } from '#catalog/items/tool-hints.ts';
import type { Finding } from '#catalog/items/verification.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { ProbeToolRow } from '#core/db/schema-probes.ts';
import { knownTool } from '#core/mcp/tool.ts';
import { wellFormed } from '#core/text/keepable.ts';
import { pauses } from '#core/threads/pauses.ts';
import { toolFindings } from './tool-findings.ts';
import { type ToolPrint, toolPrints } from './tool-prints.ts';

/** The stored form of a server's tools: limited in number and size, with text that both databases accept. */

export interface StoredTools {
  rows: Omit<ProbeToolRow, 'target_id'>[];
  /** Number of all tools, including those not stored. */
  count: number;
  /** Hash over the complete definitions of all tools, independent of their order. */
  hash: string;
  /** Of all tools, to tell later what changed; null if there are too many. */
  prints: ToolPrint[] | null;
  /** Of the static checks on the stored tools. */
  findings: Finding[];
}

const MOST_TOOLS = 200;
/** Characters per field, and bytes of all tools together. */
const MOST = { name: 128, title: 200, description: 2_000, schema: 16_384, folded: 500, all: 256 * 1024 };

/** Expects tools whose schemas are not nested too deeply. Takes turns of the event loop: 2 MiB of tools need half a second. */
export async function storedTools(all: readonly Tool[]): Promise<StoredTools> {
  const tools = wellFormed([...all]);
  const pause = pauses();
  let left = MOST.all;
  const rows: StoredTools['rows'] = [];
  const found: Finding[] = [];
  for (const tool of tools.slice(0, MOST_TOOLS)) {
    await pause();
    const row = rowOf(tool, rows.length);
    left -= Buffer.byteLength(row.name + row.title + row.description + (row.input_schema ?? '') + row.folded);
    if (left < 0) break;
    rows.push(row);
    found.push(...toolFindings(row));
  }
  const [hash, prints] = [await hashOf(tools), await toolPrints(tools)];
  return { rows, count: tools.length, hash, prints, findings: distinct(found) };
}

/** The hash of `storedTools`. */
export const toolsHash = (tools: readonly Tool[]): Promise<string> => hashOf(wellFormed([...tools]));

async function hashOf(tools: readonly Tool[]): Promise<string> {
  const pause = pauses();
  const hashes: string[] = [];
  for (const tool of tools) {
    await pause();
    hashes.push(`${tool.name.length}:${tool.name} ${knownTool(tool).hash}`);
  }
  return `sha256:${sha256(hashes.sort().join('\n'))}`;
}

function rowOf(tool: Tool, position: number): StoredTools['rows'][number] {
  const name = cut(tool.name, MOST.name);
  const title = cut(tool.title ?? tool.annotations?.title ?? '', MOST.title);
  const description = cut(tool.description ?? '', MOST.description);
  const schema = JSON.stringify(tool.inputSchema);
  const folded = cut(fold(`${name} ${title} ${description.slice(0, MOST.folded)}`), MOST.folded);
  const input_schema = schema.length > MOST.schema ? null : schema;
  const annotations = JSON.stringify(hintsIn(tool.annotations) ?? {});
  return { position, name, title, description, input_schema, annotations, folded };
}

function cut(text: string, most: number): string {
  const whole = storable(text);
  return whole.length <= most ? whole : `${whole.slice(0, most - 1).toWellFormed()}…`;
}

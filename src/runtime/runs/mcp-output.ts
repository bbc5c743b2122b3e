import type { CallToolResult } from '@modelcontextprotocol/client';
import type { McpFailure } from '#core/mcp/failure.ts';
import type { ToolListing } from '#core/mcp/tool-listing.ts';
import { hasManyParts, MOST_PARTS } from '#core/text/json-text.ts';
import { isNestedTooDeep, MAX_NESTING } from '#core/text/keepable.ts';
import { plain, quoted } from '#core/tools/words.ts';
import { COMPLETED, emptyOutcome, failed, type Outcome } from './result.ts';

/** Converts the result of a tool to the outcome of a run. Pure. */

interface Answered {
  result: CallToolResult;
  protocol_version: string;
  /** Limit of the stored result. */
  output_bytes: number;
}

export function outcomeOf({ result, protocol_version, output_bytes }: Answered): Outcome {
  const text = textOf(result);
  const output = outputOf(result, text);
  const environment = { engine: `mcp ${protocol_version}`, network: 'guarded' as const };
  const failedAs = (reason: string, error: string): Outcome => emptyOutcome(failed(reason, error), environment);
  if (isNestedTooDeep(output))
    return failedAs('output_exceeded', `The result of the tool is nested deeper than ${MAX_NESTING}.`);
  const json = JSON.stringify(output) ?? '';
  if (hasManyParts(json))
    return failedAs(
      'output_exceeded',
      `The result of the tool has more than ${MOST_PARTS} members, objects and lists.`,
    );
  if (Buffer.byteLength(json) > output_bytes)
    return failedAs('output_exceeded', `The result of the tool has more than ${output_bytes} bytes.`);
  const verdict =
    result.isError === true ? failed('tool_error', `The tool returned an error${said(text)}.`) : COMPLETED;
  return { ...emptyOutcome(verdict, environment), output, stdout: text };
}

/** The list as a tool would return it. */
export function shownTools({ tools, left_out }: ToolListing): CallToolResult {
  const shown = tools.map(({ name, description = '', inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
  return {
    content: [
      { type: 'text', text: JSON.stringify(left_out.count === 0 ? { tools: shown } : { tools: shown, left_out }) },
    ],
  };
}

const textOf = ({ content }: CallToolResult): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

/** Structured content, with the blocks beside it if some of them are more than its text. */
function outputOf(result: CallToolResult, text: string): unknown {
  const { structuredContent, content } = result;
  if (structuredContent === undefined) return contentOf(result, text);
  return content.some((block) => block.type !== 'text')
    ? { content, structured_content: structuredContent }
    : structuredContent;
}

/** A single text as JSON if it is JSON, otherwise as text; content with images, audio or links unchanged. */
function contentOf({ content }: CallToolResult, text: string): unknown {
  if (content.some((block) => block.type !== 'text')) return { content };
  if (hasManyParts(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function said(text: string): string {
  const words = plain(text, 300);
  return words === '' ? '' : `: ${quoted(words, 300)}`;
}

/** A call that came to nothing. */
export const failedCall = (failure: McpFailure): Outcome =>
  emptyOutcome(failed(REASONS[failure.reason], sentence(failure)), { network: 'guarded' });

const REASONS: Record<McpFailure['reason'], string> = {
  auth_needed: 'auth_needed',
  not_mcp: 'not_mcp',
  unreachable: 'unreachable',
  timed_out: 'timed_out',
  too_large: 'output_exceeded',
  refused: 'tool_refused',
  broken: 'server_failed',
  input_required: 'input_required',
  start_failed: 'start_failed',
  out_of_memory: 'out_of_memory',
  wants_network: 'wants_network',
  wants_display: 'wants_display',
};

export const sentence = ({ detail }: McpFailure): string => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;

import type { CallToolResult } from '@modelcontextprotocol/client';
import type { McpFailure } from '#core/mcp/failure.ts';
import { isNestedTooDeep, MAX_NESTING } from '#core/text/keepable.ts';
import { plain, quoted } from '#core/tools/words.ts';
import { nothing, type Outcome } from '../capability.ts';
import type { Verdict } from '../run.ts';

/** What a tool answered, as the outcome of a run. Pure. */

export interface Answered {
  result: CallToolResult;
  protocol_version: string;
  /** Of what is kept. */
  output_bytes: number;
}

const DONE: Verdict = { status: 'completed', reason: null, error: null };

export function outcomeOf({ result, protocol_version, output_bytes }: Answered): Outcome {
  const text = textOf(result);
  const output = result.structuredContent ?? contentOf(result, text);
  const failed = (reason: string, error: string): Outcome => ({
    ...nothing({ status: 'failed', reason, error }),
    ...held,
  });
  const held = { engine: `mcp ${protocol_version}`, network: 'guarded' as const };
  if (isNestedTooDeep(output))
    return failed('output_exceeded', `The tool's answer is nested deeper than ${MAX_NESTING}.`);
  if (Buffer.byteLength(JSON.stringify(output) ?? '') > output_bytes)
    return failed('output_exceeded', `The tool answered with more than ${output_bytes} bytes.`);
  const verdict: Verdict =
    result.isError === true
      ? { status: 'failed', reason: 'tool_error', error: `The tool answered with an error${said(text)}.` }
      : DONE;
  return { ...nothing(verdict), ...held, output, stdout: text };
}

const textOf = ({ content }: CallToolResult): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

/** Text alone as JSON where it is JSON, else as text; anything with pictures, sound or links as it came. */
function contentOf({ content }: CallToolResult, text: string): unknown {
  if (content.some((block) => block.type !== 'text')) return { content };
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const said = (text: string): string => {
  const words = plain(text, 300);
  return words === '' ? '' : `: ${quoted(words, 300)}`;
};

/** A call that came to nothing. */
export const failedCall = (failure: McpFailure): Outcome => ({
  ...nothing({ status: 'failed', reason: REASONS[failure.reason], error: sentence(failure) }),
  network: 'guarded',
});

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
};

export const sentence = ({ detail }: McpFailure): string => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;

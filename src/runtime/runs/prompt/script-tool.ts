import type { Span } from '@opentelemetry/api';
import { defined } from '#core/defined.ts';
import type { Tool, ToolText } from '#core/llm/converse.ts';
import { Problem } from '#core/problem/problem.ts';
import type { Sandbox, SandboxResult } from '#runtime/sandbox/sandbox.ts';
import { languageOf, type Skill } from '#runtime/skills/skill.ts';
import type { RunOrder } from '../capability.ts';
import { NO_ENVIRONMENT, type Outcome } from '../result.ts';
import { runScripted } from '../scripted.ts';
import { failed, objectOf, RUN_SCRIPT, said, scriptsOf } from './skill-tools.ts';

/** Runs a script of the skill in the sandbox, within the limits and the remaining time of the run. */

/** The effects of scripts on the outcome of the run. */
export type ScriptTrail = Pick<Outcome, 'output_files' | 'files_left_out' | 'environment'>;

export const newTrail = (): ScriptTrail => ({
  output_files: new Map(),
  files_left_out: 0,
  environment: { ...NO_ENVIRONMENT },
});

/** Characters of each stream that the model gets to see. */
const MOST = 16_000;

interface ScriptToolOrder {
  skill: Skill;
  sandbox: Sandbox;
  order: RunOrder;
  /** By `performance.now()`. */
  ends_at_ms: number;
  trail: ScriptTrail;
  /** The span of the tool call that is being carried out. */
  span(): Span;
}

export function runScriptTool(about: ScriptToolOrder): Tool {
  const scripts = scriptsOf(about.skill);
  return {
    name: RUN_SCRIPT,
    description: 'Runs a script of the skill in a sandbox without network, and returns its output.',
    input_schema: objectOf(
      {
        path: { type: 'string', enum: scripts },
        // A string, because not every provider supports values without a type.
        input: { type: 'string', description: 'The input as JSON text; the script reads it from standard input.' },
      },
      ['path'],
    ),
    run: async (input, signal) => {
      const { path, input: given = 'null' } = (input ?? {}) as { path?: unknown; input?: unknown };
      if (typeof path !== 'string' || !scripts.includes(path))
        return failed(`Script not found. Available: ${scripts.join(', ')}`);
      const parsed = parse(given);
      if (parsed === undefined) return failed('input must be JSON text.');
      return runOne(about, path, parsed, signal);
    },
  };
}

/** Undefined if it is not JSON. A value in place of its JSON text is accepted, too. */
function parse(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}

async function runOne(about: ScriptToolOrder, path: string, input: unknown, signal: AbortSignal): Promise<ToolText> {
  const { skill, sandbox, order, ends_at_ms, trail } = about;
  const language = languageOf(path) as NonNullable<ReturnType<typeof languageOf>>;
  const timeout_ms = Math.max(1, Math.floor(ends_at_ms - performance.now()));
  try {
    const result = await runScripted(sandbox, order.tracing, about.span(), {
      share: order.caller.share,
      skill,
      entry: { path, language },
      input,
      signal,
      input_files: order.input_files,
      limits: { ...order.limits, timeout_ms },
    });
    signal.throwIfAborted();
    trail.environment.isolation = result.isolation;
    trail.environment.engine = result.engine;
    if (!keepFiles(trail, result, order.limits.output_bytes)) return failed('The scripts wrote too many files.');
    return said(shown(result));
  } catch (error) {
    // Such as a queue that is full: the model may do without.
    if (error instanceof Problem && !signal.aborted) return failed(error.message);
    throw error;
  }
}

/** A later script's file takes the place of an earlier one's. */
function keepFiles(trail: ScriptTrail, { output_files, files_left_out }: SandboxResult, outputBytes: number): boolean {
  const all = new Map([...trail.output_files, ...output_files]);
  const bytes = [...all.values()].reduce((sum, outputFile) => sum + outputFile.length, 0);
  if (bytes > outputBytes) return false;
  trail.output_files = all;
  trail.files_left_out += files_left_out;
  return true;
}

const shown = ({ status, exit_code, stdout, stderr, output_files, files_left_out }: SandboxResult) => ({
  status,
  exit_code,
  stdout: stdout.slice(0, MOST),
  stderr: stderr.slice(0, MOST),
  ...defined({ cut: stdout.length > MOST || stderr.length > MOST ? true : undefined }),
  output_files: [...output_files].map(([path, bytes]) => ({ path, size: bytes.length })),
  ...defined({ files_left_out: files_left_out > 0 ? files_left_out : undefined }),
});

import type { Span } from '@opentelemetry/api';
import { defined } from '#core/defined.ts';
import type { Tool, ToolText } from '#core/llm/converse.ts';
import { Problem } from '#core/problem/problem.ts';
import { languageOf, type Skill } from '#runtime/skills/skill.ts';
import type { RunOrder, ScriptRan, SkillScripts } from '../capability.ts';
import { NO_ENVIRONMENT, type Outcome } from '../result.ts';
import { failed, objectOf, RUN_SCRIPT, said, scriptPaths } from './skill-tools.ts';
import { withScript } from './with-script.ts';

/** Runs a script of the skill, within the limits and the remaining time of the run. */

/** The effects of scripts on the outcome of the run. */
export type ScriptTrail = Pick<Outcome, 'output_files' | 'files_left_out' | 'environment'>;

export const newTrail = (): ScriptTrail => ({
  output_files: new Map(),
  files_left_out: 0,
  environment: { ...NO_ENVIRONMENT },
});

/** Characters of each stream that the model gets to see. */
const MOST = 16_000;

type Ended = ScriptRan['result'];

interface ScriptToolOrder {
  skill: Skill;
  scripts: SkillScripts;
  order: RunOrder;
  /** By `performance.now()`. */
  ends_at_ms: number;
  trail: ScriptTrail;
  /** The span of the tool call that is being carried out. */
  span(): Span;
}

export function runScriptTool(about: ScriptToolOrder): Tool {
  const scripts = scriptPaths(about.skill);
  return {
    name: RUN_SCRIPT,
    description: 'Runs a script of the skill in a sandbox, with what its user gave the skill, and returns its output.',
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
  const { scripts, order, ends_at_ms, trail } = about;
  const language = languageOf(path) as NonNullable<ReturnType<typeof languageOf>>;
  const timeout_ms = Math.max(1, Math.floor(ends_at_ms - performance.now()));
  const limits = { ...order.limits, timeout_ms };
  const own = Object.assign({}, order, { input, signal, limits, span: about.span(), on_output: undefined });
  try {
    const ran = await scripts.run({ path, language }, own);
    signal.throwIfAborted();
    if ('refused' in ran) return failed(refusalText(ran.refused));
    trail.environment = withScript(trail.environment, ran.environment);
    if (!keepFiles(trail, ran.result, order.limits.output_bytes)) return failed('The scripts wrote too many files.');
    return said(shown(ran.result));
  } catch (error) {
    // Such as a queue that is full: the model may do without.
    if (error instanceof Problem && !signal.aborted) return failed(error.message);
    throw error;
  }
}

/** Only a person can give a skill more, so the model reads what to ask for. */
function refusalText({ reason, detail }: { reason: string; detail: string }): string {
  const isGrant = reason === 'needs_install' || reason === 'missing_env';
  const next = isGrant
    ? ' Only the person can allow this, before a run: say in your answer what the skill needs and that its settings have the switch.'
    : '';
  return `${reason}: ${detail}${next}`;
}

/** A later script's file takes the place of an earlier one's. */
function keepFiles(trail: ScriptTrail, { output_files, files_left_out }: Ended, outputBytes: number): boolean {
  const all = new Map([...trail.output_files, ...output_files]);
  const bytes = [...all.values()].reduce((sum, outputFile) => sum + outputFile.length, 0);
  if (bytes > outputBytes) return false;
  trail.output_files = all;
  trail.files_left_out += files_left_out;
  return true;
}

const shown = ({ status, exit_code, stdout, stderr, output_files, files_left_out }: Ended) => ({
  status,
  exit_code,
  stdout: stdout.slice(0, MOST),
  stderr: stderr.slice(0, MOST),
  ...defined({ cut: stdout.length > MOST || stderr.length > MOST ? true : undefined }),
  output_files: [...output_files].map(([path, bytes]) => ({ path, size: bytes.length })),
  ...defined({ files_left_out: files_left_out > 0 ? files_left_out : undefined }),
});

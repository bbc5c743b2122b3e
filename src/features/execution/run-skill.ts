import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api';
import { Problem } from '../../platform/problem.ts';
import type { Skill } from '../skills/skill.ts';
import { ATTR, executeTool } from '../traces/conventions.ts';
import { inSpan, type Tracing } from '../traces/tracing.ts';
import { type RunResult, rejected, type Verdict, verdictOf } from './run.ts';
import { DEFAULT_LIMITS, type OutputStream, type Sandbox, type SandboxLimits } from './sandbox/sandbox.ts';
import { runScripted } from './scripted.ts';

export interface SkillRun {
  skill: Skill;
  /** Any JSON value. */
  input: unknown;
  sandbox: Sandbox;
  tracing: Tracing;
  limits?: Partial<SandboxLimits>;
  /** Whether input and output are recorded in the trace, cut and redacted: only where its reader is the run's owner. */
  record_content?: boolean;
  on_output?: (stream: OutputStream, chunk: Uint8Array) => void;
  signal?: AbortSignal;
}

/** Runs a skill once. A run that fails is an answer; a Problem `execution.input_missing` means that none was begun. */
export async function runSkill(run: SkillRun): Promise<RunResult> {
  const { skill, input, tracing } = run;
  if (input === undefined) throw inputMissing(skill);
  const started = performance.now();
  const attributes: Attributes = {
    [ATTR.operation]: 'execute_tool',
    [ATTR.tool_name]: skill.name,
    [ATTR.tool_type]: 'extension',
    [ATTR.skill_name]: skill.name,
    [ATTR.skill_version]: skill.version,
    [ATTR.skill_digest]: skill.digest,
    ...(run.record_content ? { [ATTR.tool_arguments]: JSON.stringify(input) } : {}),
  };
  return inSpan(tracing.tracer, null, executeTool(skill.name), attributes, async (span) => {
    const result = (await refusal(run)) ?? (await held(run, span));
    mark(span, result, run.record_content === true);
    return { ...result, trace_id: span.spanContext().traceId, duration_ms: performance.now() - started };
  });
}

type Untraced = Omit<RunResult, 'trace_id' | 'duration_ms'>;

/** Why the skill cannot be run here at all; null where it can. */
async function refusal({ skill, sandbox }: SkillRun): Promise<Untraced | null> {
  if (skill.execution_class === 'prompt')
    return nothing(rejected('model_required', `${skill.name} is a prompt skill: a language model has to run it.`));
  if (skill.execution_class === 'mcp' || skill.entry === null)
    return nothing(rejected('unsupported', `${skill.name} has no script of its own that could be run.`));
  const { ok, reason } = await sandbox.selfTest();
  return ok ? null : nothing(rejected('sandbox_unsafe', `Scripts are not run here. ${reason}`));
}

async function held({ skill, input, sandbox, tracing, limits, ...rest }: SkillRun, span: Span): Promise<Untraced> {
  const all = { ...DEFAULT_LIMITS, ...limits };
  const entry = skill.entry as NonNullable<Skill['entry']>;
  const { on_output, signal } = rest;
  const result = await runScripted(sandbox, tracing, span, { skill, entry, input, limits: all, on_output, signal });
  const { status, exit_code, stdout, stderr, output_files, isolation, engine } = result;
  const verdict = verdictOf(status, exit_code, all);
  return { ...verdict, exit_code, output: outputOf(stdout), stdout, stderr, output_files, isolation, engine };
}

function mark(span: Span, { status, reason, error, exit_code, isolation, engine, stdout }: Untraced, content: boolean) {
  span.setAttributes({
    [ATTR.run_status]: status,
    ...(reason === null ? {} : { [ATTR.error_type]: reason }),
    ...(exit_code === null ? {} : { [ATTR.exit_code]: exit_code }),
    ...(isolation === null ? {} : { [ATTR.isolation]: isolation }),
    ...(engine === null ? {} : { [ATTR.engine]: engine }),
    ...(content && stdout !== '' ? { [ATTR.tool_result]: stdout } : {}),
  });
  if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
}

const nothing = (verdict: Verdict): Untraced => ({
  ...verdict,
  exit_code: null,
  output: null,
  stdout: '',
  stderr: '',
  output_files: new Map(),
  isolation: null,
  engine: null,
});

function outputOf(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return stdout;
  }
}

const inputMissing = ({ name, example }: Skill): Problem =>
  new Problem(
    'invalid_request',
    'execution.input_missing',
    `${name} needs an input: give JSON with --input, a file with --input-file` +
      `${example === null ? '' : ", or --example for the skill's own example"}.`,
  );

import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { defined } from '#core/defined.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { ATTR, loadSkill, runScript } from '#core/traces/conventions.ts';
import { inSpan, type Tracing } from '#core/traces/tracing.ts';
import type { OutputStream, Sandbox, SandboxLimits, SandboxResult } from '#runtime/sandbox/sandbox.ts';
import { readSkillFiles } from '#runtime/skills/load-skills.ts';
import type { Skill } from '#runtime/skills/skill.ts';

interface ScriptedRun {
  /** The share of the sandbox queue. */
  share: Share;
  skill: Skill;
  entry: NonNullable<Skill['entry']>;
  /** Goes to standard input and `/workspace/input/input.json`. */
  input: unknown;
  input_files?: ReadonlyMap<string, Uint8Array> | undefined;
  limits: SandboxLimits;
  on_output?: ((stream: OutputStream, chunk: Uint8Array) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Loads the skill's files and runs its script, a span each below `parent`. */
export async function runScripted(
  sandbox: Sandbox,
  { tracer }: Tracing,
  parent: Span,
  { share, skill, entry, input, input_files, limits, on_output, signal }: ScriptedRun,
): Promise<SandboxResult> {
  const about = { [ATTR.skill_name]: skill.name, [ATTR.skill_version]: skill.version };
  const files = await inSpan(tracer, parent, loadSkill(skill.name), about, () => readSkillFiles(skill));
  const asked = {
    [ATTR.language]: entry.language,
    [ATTR.timeout_ms]: limits.timeout_ms,
    [ATTR.memory_mb]: limits.memory_mb,
  };
  return inSpan(tracer, parent, runScript(entry.path), asked, async (span) => {
    const stdin = JSON.stringify(input);
    const result = await sandbox.run({
      share,
      language: entry.language,
      files,
      entry: entry.path,
      stdin,
      limits,
      ...defined({
        input_files: input_files || undefined,
        on_output,
        signal,
      }),
    });
    span.setAttributes({
      [ATTR.isolation]: result.isolation,
      // Missing if the run was cancelled before it started.
      ...defined({ [ATTR.engine]: result.engine || undefined }),
      [ATTR.output_bytes]: Buffer.byteLength(result.stdout) + Buffer.byteLength(result.stderr),
      ...defined({
        [ATTR.exit_code]: result.exit_code ?? undefined,
        [ATTR.error_type]: result.status === 'completed' ? undefined : result.status,
        [ATTR.engine_error]: result.engine_error === '' ? undefined : withoutPlaces(result.engine_error),
      }),
    });
    if (result.status !== 'completed') span.setStatus({ code: SpanStatusCode.ERROR });
    return result;
  });
}

/** The owner can read the trace, but must not see the paths of this program. */
const withoutPlaces = (text: string): string => text.replace(/(?:file:\/\/)?(?:\/[^\s/:'"()]+)+\//g, '…/');

import { OWN_SHARE } from '#core/fair-queue/share.ts';
import type { Tracing } from '#core/traces/tracing.ts';
import { type ExecuteOrder, execute } from '#runtime/runs/execute.ts';
import type { RunResult } from '#runtime/runs/result.ts';
import { skillCapability } from '#runtime/runs/skill-capability.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import type { Skill } from '#runtime/skills/skill.ts';

/** Runs skills through the door, for nobody in particular. */
export const skillRunner =
  ({ sandbox, tracing }: { sandbox: Sandbox; tracing: Tracing }) =>
  (skill: Skill, input: unknown, more: Partial<ExecuteOrder> = {}): Promise<RunResult> =>
    execute(skillCapability({ kind: 'skill', ref: skill.name }, skill, { sandbox, prompt: null }), {
      input,
      tracing,
      caller: { user_id: null, share: OWN_SHARE, charge: async () => {}, refund: async () => {} },
      record_content: false,
      signal: new AbortController().signal,
      ...more,
    });

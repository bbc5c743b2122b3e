import type { RunResult } from '../src/features/execution/run.ts';
import { type RunRequest, runCapability } from '../src/features/execution/run-capability.ts';
import type { Sandbox } from '../src/features/execution/sandbox/sandbox.ts';
import { skillCapability } from '../src/features/execution/skill-capability.ts';
import type { Skill } from '../src/features/skills/skill.ts';
import type { Tracing } from '../src/features/traces/tracing.ts';
import { OWN_SHARE } from '../src/platform/fair-queue/share.ts';

/** Runs skills through the door, for nobody in particular. */
export const skillRunner =
  ({ sandbox, tracing }: { sandbox: Sandbox; tracing: Tracing }) =>
  (skill: Skill, input: unknown, more: Partial<RunRequest> = {}): Promise<RunResult> =>
    runCapability(skillCapability({ kind: 'skill', ref: skill.name }, skill, { sandbox, prompt: null }), {
      input,
      tracing,
      caller: { user_id: null, share: OWN_SHARE, charge: async () => {}, refund: async () => {} },
      record_content: false,
      signal: new AbortController().signal,
      ...more,
    });

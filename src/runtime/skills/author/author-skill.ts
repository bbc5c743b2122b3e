import type { Share } from '#core/fair-queue/share.ts';
import type { ToolCall } from '#core/tools/tool.ts';
import type { CheckedSkill } from '../checks/check-skill.ts';
import { validateSkill } from '../checks/validate-skill.ts';
import { type Authored, BY_TEMPLATE, errorsIn, pathsOf } from './authored.ts';
import { readSkillAnswer, skillAsk, skillSystem } from './model-skill.ts';
import { authorRefused, planSkill, type SkillRequest } from './skill-request.ts';
import { writeSkill } from './template-skill.ts';
import { type ModelDeps, writeWithModel } from './write-with-model.ts';

/** A directory that passes `validateSkill`. Throws `http.invalid` (`input`) if the request makes that impossible. */
export async function authorSkill(
  deps: ModelDeps,
  request: SkillRequest,
  { caller, share, signal }: Pick<ToolCall, 'caller' | 'share' | 'signal'>,
): Promise<Authored<CheckedSkill>> {
  const plan = planSkill(request);
  const template = await passing(writeSkill(plan), plan.name, request, share);
  if (request.use_model === false) return { ...template, ...BY_TEMPLATE, reason: 'No model was requested.' };
  const order = { caller, signal, system: skillSystem(plan), ask: skillAsk(plan) };
  const written = await writeWithModel(deps, { ...order, read: (text) => readSkillAnswer(plan, text, share) });
  if ('reason' in written) return { ...template, ...BY_TEMPLATE, reason: written.reason };
  const made = await passing(writeSkill(plan, written.value), plan.name, request, share);
  return { ...made, made_by: written.model, is_llm: true, reason: null };
}

async function passing(
  files: Map<string, Uint8Array>,
  directory: string,
  { files: given }: SkillRequest,
  share: Share,
) {
  const checked = await validateSkill(files, { share, directory, paths: pathsOf(files, given) });
  const errors = errorsIn(checked.violations, given);
  if (errors.length > 0) throw authorRefused(errors);
  return { files, checked };
}

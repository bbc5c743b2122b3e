import type { ToolCall } from '../../../platform/tools/tool.ts';
import type { CheckedSkill } from '../checks/check-skill.ts';
import { validateSkill } from '../checks/validate-skill.ts';
import { lineOf } from '../checks/violation-list.ts';
import { readSkillAnswer, skillAsk, skillSystem } from './model-skill.ts';
import { authorRefused, planSkill, type SkillRequest } from './skill-request.ts';
import { writeSkill } from './template-skill.ts';
import { type ModelDeps, writeWithModel } from './write-with-model.ts';

export interface Authored {
  files: Map<string, Uint8Array>;
  checked: CheckedSkill;
  /** `template`, or the id of the model that wrote body and script. */
  made_by: string;
  is_llm: boolean;
  /** Why it is the template; null where a model wrote it. */
  reason: string | null;
}

/** A directory that passes `validateSkill`. Throws `skills.author_refused` where the request makes that impossible. */
export async function authorSkill(
  deps: ModelDeps,
  request: SkillRequest,
  { caller, signal }: Pick<ToolCall, 'caller' | 'signal'>,
): Promise<Authored> {
  const plan = planSkill(request);
  const template = await passing(writeSkill(plan), plan.name, request);
  if (request.use_model === false) return { ...template, ...BY_TEMPLATE, reason: 'No model was asked for.' };
  const order = { caller, signal, system: skillSystem(plan), ask: skillAsk(plan) };
  const written = await writeWithModel(deps, { ...order, read: (text) => readSkillAnswer(plan, text) });
  if ('reason' in written) return { ...template, ...BY_TEMPLATE, reason: written.reason };
  const made = await passing(writeSkill(plan, written.value), plan.name, request);
  return { ...made, made_by: written.model, is_llm: true, reason: null };
}

const BY_TEMPLATE = { made_by: 'template', is_llm: false } as const;

/** What still breaks a rule came with the caller's own files. */
async function passing(files: Map<string, Uint8Array>, directory: string, { files: given = [] }: SkillRequest) {
  const twice = given.map(({ path }) => path).filter((path, index, all) => all.indexOf(path) !== index);
  const checked = await validateSkill(files, { directory, paths: [...files.keys(), ...twice] });
  const errors = checked.violations.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return { files, checked };
  throw authorRefused(
    errors.slice(0, 20).map((it) => {
      const index = given.findIndex(({ path }) => path === it.path);
      return {
        pointer: index < 0 ? '/files' : `/files/${index}`,
        detail: `${lineOf(it)} ${it.fix}`.replace(/\.$/, ''),
      };
    }),
  );
}

import type { Models } from '#core/llm/models.ts';
import { PLANNER_ID } from '#core/llm/settings.ts';
import type { RigModel } from '#runtime/rigs/rig.ts';
import { faulty, type Part, type RigSkill } from './parts.ts';

/** Which model a rig runs with here: `prefer`, then `fallback`, then the service's own, then the planner if it can do the work. Pure. */

type Offered = Pick<Models, 'pick' | 'missing' | 'list'>;

/** With `pinned`, only checks whether that model is available. `whole` means that none of the rig's skills is missing. */
export function chooseModel(
  models: Offered,
  { prefer, require, fallback }: RigModel,
  skills: readonly RigSkill[],
  pinned: string | null,
  whole: boolean,
): Part<string> {
  const required = require.filter((id) => id !== 'llm');
  const unavailable = whyNoPlanner(require, skills, whole);
  const usable = (id: string): boolean => {
    if (id === PLANNER_ID) return unavailable === null;
    return models.pick(id) !== null && (required.length === 0 || required.includes(id));
  };
  if (pinned !== null) return usable(pinned) ? { found: pinned } : missing([pinned], models, unavailable);
  const named = [...prefer, ...fallback];
  const known = [...named, ...(named.length === 0 ? required : [])].find(usable);
  if (known !== undefined) return { found: known };
  if (named.length > 0 || required.length > 0) return missing([...named, ...required], models, unavailable);
  const own = models.pick();
  if (own !== null) return { found: own.id };
  return unavailable === null ? { found: PLANNER_ID } : missing([], models, unavailable);
}

/** Why the planner cannot do the rig's work; null if it can. It runs scripts and writes no answers. */
function whyNoPlanner(require: readonly string[], skills: readonly RigSkill[], whole: boolean): string | null {
  if (require.length > 0) return 'The rig requires a language model.';
  // Missing parts are reported separately.
  if (!whole) return null;
  if (skills.length === 0) return 'The rig has no skill with a script that could run without one.';
  const other = skills.find(({ skill }) => skill.execution_class !== 'scripted');
  return other === undefined ? null : `${other.skill.name} needs a language model.`;
}

function missing(ids: readonly string[], models: Offered, unavailable: string | null): Part<string> {
  const known = models.list();
  const why = ids
    .filter((id) => id !== PLANNER_ID)
    .map((id) => {
      const { reason = 'it is not configured' } = known.find((modelInfo) => modelInfo.id === id) ?? {};
      return `${id}: ${reason.replace(/\.$/, '')}`;
    });
  const said =
    why.length > 0 ? `None of the rig's models is available here (${why.join('; ')}).` : (models.missing() ?? '');
  return faulty('model_missing', 'model', [said, unavailable ?? ''].filter(Boolean).join(' '));
}

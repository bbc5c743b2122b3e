import { Type } from '#core/json-schema/type.ts';
import { ProblemBriefShape } from '#core/problem/brief-shape.ts';
import { briefOf, Problem, type ProblemBrief } from '#core/problem/problem.ts';
import { Next, nextText } from '#core/tools/words.ts';
import type { RigsDeps } from '../deps.ts';
import { lockRig } from '../lock-rig.ts';
import type { MadeRig } from '../make-rig.ts';
import { orNull } from '../shapes.ts';

/** The result of `rig_create` and `rig_update`: the stored version, locked if all of its parts are available. */

const text = Type.String();

export const StoredAnswer = Type.Object({
  id: text,
  name: text,
  version: text,
  is_new: Type.Boolean(),
  lock_digest: orNull(text, 'Null if a part is unavailable.'),
  not_locked: orNull(ProblemBriefShape, 'Why it was stored but not locked.'),
  next: orNull(Next, 'The next call.'),
});

export async function lockedAnswer(deps: RigsDeps, { rig, version, is_new }: MadeRig) {
  const locked = await lockRig(deps, { row: rig, version }).catch(reasonOf);
  const ok = 'digest' in locked;
  const next: Next | null = ok ? { tool: 'rig_run', arguments: { rig: rig.name, input: {} } } : null;
  const structured = {
    id: rig.id,
    name: rig.name,
    version: version.version,
    is_new,
    lock_digest: ok ? locked.digest : null,
    not_locked: ok ? null : locked,
    next,
  };
  const lines = [
    `Rig ${rig.name} ${version.version} is ${is_new ? 'stored' : 'already stored'}.`,
    ok ? `Locked as ${locked.digest}.` : `It is not locked. ${locked.reason ?? locked.code}: ${locked.detail}`,
    ...(next === null ? [] : [`Next: ${nextText(next)}`]),
  ];
  return { structured, text: lines.join('\n') };
}

function reasonOf(error: unknown): ProblemBrief {
  if (error instanceof Problem && error.kind === 'unprocessable') return briefOf(error);
  throw error;
}

import { Type } from '#core/json-schema/type.ts';
import { ProblemBriefShape } from '#core/problem/brief-shape.ts';
import { briefOf, Problem, type ProblemBrief } from '#core/problem/problem.ts';
import { Next, nextText } from '#core/tools/words.ts';
import type { RigsDeps } from '../deps.ts';
import { lockRig } from '../lock-rig.ts';
import type { MadeRig } from '../make-rig.ts';
import { orNull } from '../shapes.ts';

/** What `rig_create` and `rig_update` answer: the version that is stored, locked where all of its parts can be had. */

const text = Type.String();

export const StoredAnswer = Type.Object({
  id: text,
  name: text,
  version: text,
  is_new: Type.Boolean(),
  lock_digest: orNull(text, 'Null where something in it cannot be had.'),
  not_locked: orNull(ProblemBriefShape, 'Why it is stored and not locked.'),
  next: orNull(Next, 'What to call.'),
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
    `Rig ${rig.name} ${version.version} is ${is_new ? 'stored' : 'there already'}.`,
    ok ? `Locked as ${locked.digest}.` : `It is not locked. ${locked.reason ?? locked.code}: ${locked.detail}`,
    ...(next === null ? [] : [`Next: ${nextText(next)}`]),
  ];
  return { structured, text: lines.join('\n') };
}

function reasonOf(error: unknown): ProblemBrief {
  if (error instanceof Problem && error.kind === 'unprocessable') return briefOf(error);
  throw error;
}

import { Type } from '../../../platform/json-schema/type.ts';
import { Problem } from '../../../platform/problem.ts';
import { ownerOf } from '../../../platform/tools/owner.ts';
import { tool } from '../../../platform/tools/tool.ts';
import { Next, nextText } from '../../../platform/tools/words.ts';
import type { RigsDeps } from '../deps.ts';
import { RIG_YAML_EXAMPLE } from '../examples.ts';
import { lockRig } from '../lock-rig.ts';
import { makeRig } from '../make-rig.ts';
import { orNull, Yaml } from '../shapes.ts';

const text = Type.String();

export const rigCreate = (deps: RigsDeps) =>
  tool({
    name: 'rig_create',
    title: 'Store and lock a rig',
    description:
      'Store a rig.yaml, or a new version of it, and lock it: digests of its harness, skills and tools are pinned as they ' +
      'are now. The same text again only locks it anew. Faults come with line, column and fix, and nothing is stored. A ' +
      'template: skill://rig-template-explore/assets/rig.yaml.',
    scope: 'write',
    input: Type.Object({ yaml: Yaml }, { additionalProperties: false }),
    output: Type.Object({
      ...{ id: text, name: text, version: text, is_new: Type.Boolean() },
      lock_digest: orNull(text, 'Null where something in it cannot be had.'),
      not_locked: orNull(Type.Object({ code: text, detail: text }), 'Why it is stored and not locked.'),
      next: orNull(Next, 'What to call.'),
    }),
    annotations: { read_only: false, destructive: false, idempotent: true, open_world: true },
    example: { yaml: RIG_YAML_EXAMPLE },
    run: async ({ yaml }, call) => {
      const { rig, version, is_new } = await makeRig(deps, ownerOf(call), yaml);
      const locked = await lockRig(deps, { row: rig, version }).catch(reasonOf);
      const ok = 'digest' in locked;
      const next: Next | null = ok ? { tool: 'rig_run', arguments: { rig: rig.name, input: {} } } : null;
      const structured = {
        ...{ id: rig.id, name: rig.name, version: version.version, is_new },
        ...{ lock_digest: ok ? locked.digest : null, not_locked: ok ? null : locked, next },
      };
      const lines = [
        `Rig ${rig.name} ${version.version} is ${is_new ? 'stored' : 'there already'}.`,
        ok ? `Locked as ${locked.digest}.` : `It is not locked. ${locked.code}: ${locked.detail}`,
        ...(next === null ? [] : [`Next: ${nextText(next)}`]),
      ];
      return { structured, text: lines.join('\n') };
    },
  });

function reasonOf(error: unknown): { code: string; detail: string } {
  if (error instanceof Problem && error.kind === 'unprocessable') return { code: error.code, detail: error.message };
  throw error;
}

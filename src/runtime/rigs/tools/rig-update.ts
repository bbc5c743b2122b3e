import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import { correctRig } from '../correct-rig.ts';
import type { RigsDeps } from '../deps.ts';
import { RIG_LINE_EXAMPLE, RIG_YAML_EXAMPLE } from '../examples.ts';
import { Yaml } from '../shapes.ts';
import { lockedAnswer, StoredAnswer } from './locked-answer.ts';

export const rigUpdate = (deps: RigsDeps) =>
  tool({
    name: 'rig_update',
    title: 'Correct and lock a rig',
    description:
      'Store a corrected rig.yaml of one of your rigs and lock it: as a new version, or in place of a version that was ' +
      'never locked. A version that was locked never changes: raise metadata.version.',
    scope: 'write',
    input: Type.Object(
      {
        rig: Type.String({ minLength: 1, maxLength: 100, description: 'Its id or name.' }),
        yaml: Yaml,
      },
      { additionalProperties: false },
    ),
    output: StoredAnswer,
    annotations: { read_only: false, destructive: true, idempotent: true, open_world: true },
    example: { rig: RIG_LINE_EXAMPLE.name, yaml: RIG_YAML_EXAMPLE },
    run: async ({ rig, yaml }, call) =>
      lockedAnswer(deps, await correctRig(deps, { user_id: ownerOf(call), ref: rig }, yaml)),
  });

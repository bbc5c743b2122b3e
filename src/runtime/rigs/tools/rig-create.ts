import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import type { RigsDeps } from '../deps.ts';
import { RIG_YAML_EXAMPLE } from '../examples.ts';
import { makeRig } from '../make-rig.ts';
import { Yaml } from '../shapes.ts';
import { lockedAnswer, StoredAnswer } from './locked-answer.ts';

export const rigCreate = (deps: RigsDeps) =>
  tool({
    name: 'rig_create',
    title: 'Store and lock a rig',
    description:
      'Store a rig.yaml, or a new version of it, and lock it: digests of its harness, skills and tools are pinned as they ' +
      'are now. Identical text only locks it again. Errors have line, column and fix, and nothing is stored. A ' +
      'template: skill://rig-template-explore/assets/rig.yaml.',
    scope: 'write',
    input: Type.Object({ yaml: Yaml }, { additionalProperties: false }),
    output: StoredAnswer,
    annotations: { read_only: false, destructive: false, idempotent: true, open_world: true },
    example: { yaml: RIG_YAML_EXAMPLE },
    run: async ({ yaml }, call) => lockedAnswer(deps, await makeRig(deps, ownerOf(call), yaml)),
  });

import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import type { RigsDeps } from '../deps.ts';
import { RIG_LINE_EXAMPLE } from '../examples.ts';
import { removeRig } from '../remove-rig.ts';

const MOST_VERSIONS = 20;

export const rigDelete = (deps: Pick<RigsDeps, 'db' | 'clock'>) =>
  tool({
    name: 'rig_delete',
    title: 'Delete a rig',
    description:
      'Delete one of your rigs with every version and lock, or one version of it. This cannot be undone. Receipts, traces and ' +
      'published versions stay.',
    scope: 'write',
    input: Type.Object(
      {
        rig: Type.String({ minLength: 1, maxLength: 100, description: 'Its id or name.' }),
        version: Type.Optional(
          Type.String({ minLength: 1, maxLength: 64, description: 'Only this one; every version where left out.' }),
        ),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      id: Type.String(),
      name: Type.String(),
      versions: Type.Array(Type.String(), { description: 'The remaining versions.' }),
    }),
    annotations: { read_only: false, destructive: true, idempotent: false, open_world: false },
    example: { rig: RIG_LINE_EXAMPLE.name },
    run: async ({ rig: ref, version }, call) => {
      const { rig, versions_left } = await removeRig(deps, { user_id: ownerOf(call), ref }, version);
      const versions = versions_left.slice(0, MOST_VERSIONS);
      const text =
        versions.length === 0
          ? `The rig ${rig.name} is deleted.`
          : `The rig ${rig.name} is deleted in version ${version}. Left: ${versions.join(', ')}.`;
      return { structured: { id: rig.id, name: rig.name, versions }, text };
    },
  });

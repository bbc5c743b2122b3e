import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import { fenced } from '#core/tools/words.ts';
import type { RigsDeps } from '../deps.ts';
import { RIG_LINE_EXAMPLE } from '../examples.ts';
import { orNull } from '../shapes.ts';
import { wholeRig } from '../show-rig.ts';
import { storedRig } from '../stored-rig.ts';

const text = Type.String();
const MOST_VERSIONS = 20;

export const rigGet = (deps: Pick<RigsDeps, 'db'>) =>
  tool({
    name: 'rig_get',
    title: 'Get a rig',
    description: 'One of your rigs with its rig.yaml and its versions; with `lock` its rig.lock too.',
    scope: 'read',
    input: Type.Object(
      {
        rig: Type.String({ minLength: 1, maxLength: 100, description: 'Its id or name.' }),
        version: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Defaults to the newest.' })),
        lock: Type.Optional(Type.Boolean({ default: false, description: 'Include rig.lock.' })),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      id: text,
      name: text,
      version: text,
      yaml: text,
      lock_digest: orNull(text, 'Null: never locked.'),
      lock: orNull(text, 'rig.lock if requested.'),
      versions: Type.Array(text),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { rig: RIG_LINE_EXAMPLE.name },
    run: async ({ rig, version, lock: with_lock = false }, call) => {
      const { db } = deps;
      const whole = await wholeRig(db, await storedRig(db, { user_id: ownerOf(call), ref: rig }, version));
      const { id, name, yaml, lock_digest } = whole;
      const lock = with_lock ? (whole.lock?.content ?? null) : null;
      const versions = whole.versions.slice(0, MOST_VERSIONS).map((version) => version.version);
      const state = lock_digest === null ? 'It was never locked.' : `Locked as ${lock_digest}.`;
      return {
        structured: { id, name, version: whole.version, yaml, lock_digest, lock, versions },
        text: `Rig ${name} ${whole.version} (versions: ${versions.join(', ')}). ${state}\n${fenced('rig', yaml)}${lock === null ? '' : `\n${fenced('lock', lock)}`}`,
      };
    },
  });

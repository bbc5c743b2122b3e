import type { Kysely } from 'kysely';
import { builtInId } from '#catalog/items/own-listings.ts';
import type { Schema } from '#core/db/schema.ts';
import { findHarness } from '#runtime/harnesses/harnesses.ts';
import { findRig } from '#runtime/rigs/rigs.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { OwnName, OwnNames } from './find-kind.ts';

interface OwnNamesDeps {
  db: Kysely<Schema>;
  skills: Pick<SkillStore, 'get'>;
}

/** Each lookup reads an index of the user's rows. */
export const ownNames =
  ({ db, skills }: OwnNamesDeps): OwnNames =>
  async (user_id, name) => {
    const found: OwnName[] = skills.get(name) === undefined ? [] : [{ kind: 'skill', ref: name }];
    if (user_id === null) return found;
    const [rig, harness] = await Promise.all([
      findRig(db, { user_id, ref: name }),
      findHarness(db, { user_id, ref: name }),
    ]);
    if (rig !== undefined) found.push({ kind: 'rig', ref: rig.id });
    if (harness !== undefined) found.push({ kind: 'harness', ref: harness.id });
    // One word is a skill of the service and something else: the prefix tells them apart.
    return found.length < 2
      ? found
      : found.map(({ kind, ref }) => ({ kind, ref: kind === 'skill' ? builtInId(ref) : ref }));
  };

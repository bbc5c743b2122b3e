import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { findHarness, readVersion } from '#runtime/harnesses/harnesses.ts';
import { readChosen } from '#runtime/models/chosen-models.ts';
import type { ResolveKind } from './capability.ts';
import { capabilityUnknown, versionGone } from './errors.ts';
import type { Rigs } from './rig/open-rigs.ts';

interface ResolveHarnessDeps {
  db: Kysely<Schema>;
  rigs: Pick<Rigs, 'ofHarness'>;
}

/** `harness`: one of the caller's own, by its id or name, at its newest version or the one asked for, with its memory. */
export const resolveHarness =
  ({ db, rigs }: ResolveHarnessDeps): ResolveKind =>
  async ({ ref, version }, caller, { input }) => {
    const { user_id } = caller;
    if (user_id === null) throw capabilityUnknown('Sign in to use a harness.');
    const row = await findHarness(db, { user_id, ref });
    if (row === undefined) throw capabilityUnknown('You have no harness with this id or name.');
    const number = version === undefined ? row.version : /^[1-9]\d{0,8}$/.test(version) ? Number(version) : null;
    const found = number === null ? undefined : await readVersion(db, row, { version: number });
    if (found === undefined) throw versionGone(row.name, version ?? `${row.version}`, `${row.version}`);
    const place = {
      kind: 'harness',
      ref: row.id,
      name: row.name,
      version: `${found.version}`,
      digest: found.digest,
    } as const;
    const model_id = await readChosen(db, user_id);
    return rigs.ofHarness({ place, contents: found.files, input, model_id, kept: row.number }, caller);
  };

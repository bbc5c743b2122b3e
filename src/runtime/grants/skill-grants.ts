import type { Kysely } from 'kysely';
import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import { countOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';

/** What users gave skills to run with: the only SQL that uses `skill_grants` and `skill_secrets`. */

type Db = Kysely<Schema>;

export interface GrantPlace {
  user_id: string;
  /** The listing, as `provider/external_id`, and of published skills as `capstan/id`. */
  skill: string;
}

export function listingOf(skill: string): { provider_id: string; external_id: string } {
  const slash = skill.indexOf('/');
  return { provider_id: skill.slice(0, slash), external_id: skill.slice(slash + 1) };
}

export interface SkillGrant {
  /** Values of environment variables that are not secret. */
  environment: Record<string, string>;
  /** Names of the stored secrets, never values. */
  secrets: string[];
  hosts: string[];
  /** Hosts that a run asked for and was refused. */
  wanted_hosts: string[];
  /** The digest of the packages whose installation was accepted. */
  accepted: string | null;
  /** The digest of the version that may have the secrets and the hosts. */
  agreed: string | null;
  updated_at: string | null;
}

export const NO_GRANT: Readonly<SkillGrant> = {
  environment: {},
  secrets: [],
  hosts: [],
  wanted_hosts: [],
  accepted: null,
  agreed: null,
  updated_at: null,
};

export async function findGrant(db: Db, place: GrantPlace): Promise<SkillGrant> {
  const row = await ofPlace(db, place).selectAll().executeTakeFirst();
  if (row === undefined) return NO_GRANT;
  const fields = await secretsOf(db, place);
  return {
    environment: JSON.parse(row.environment),
    secrets: fields.map(({ field }) => field),
    hosts: JSON.parse(row.hosts),
    wanted_hosts: JSON.parse(row.wanted_hosts),
    accepted: row.accepted,
    agreed: row.agreed,
    updated_at: row.updated_at,
  };
}

export type GrantEdit = Partial<Pick<SkillGrant, 'environment' | 'hosts' | 'wanted_hosts' | 'accepted' | 'agreed'>>;

/** Creates or changes it; members that are left out stay. */
export async function editGrant(db: Db, place: GrantPlace, edit: GrantEdit, now: string): Promise<void> {
  const { environment, hosts, wanted_hosts, accepted, agreed } = edit;
  const texts = Object.fromEntries(
    Object.entries({ environment, hosts, wanted_hosts }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, JSON.stringify(value)]],
    ),
  );
  const changes = Object.assign({ updated_at: now }, texts, defined({ accepted, agreed }));
  const row = { environment: '{}', hosts: '[]', wanted_hosts: '[]', accepted: null, agreed: null, updated_at: now };
  await db
    .insertInto('skill_grants')
    .values(Object.assign(row, place, changes))
    .onConflict((conflict) => conflict.columns(['user_id', 'skill']).doUpdateSet(changes))
    .execute();
}

/** Returns whether there was one. Its secrets cascade. */
export const deleteGrant = async (db: Db, { user_id, skill }: GrantPlace): Promise<boolean> =>
  (
    await db
      .deleteFrom('skill_grants')
      .where((eb) => eb.and({ user_id, skill }))
      .executeTakeFirst()
  ).numDeletedRows > 0n;

export const countGrants = (db: Db, user_id: string): Promise<number> =>
  countOf(db.selectFrom('skill_grants').where('user_id', '=', user_id));

export const skillsWithGrants = async (db: Db, user_id: string, most: number): Promise<string[]> =>
  (
    await db
      .selectFrom('skill_grants')
      .select('skill')
      .where('user_id', '=', user_id)
      .orderBy('skill')
      .limit(most)
      .execute()
  ).map(({ skill }) => skill);

/** The version is digits and the field has no separator, so contexts are unique. */
export const skillSecretContext = (place: GrantPlace & { field: string; version: number }): string =>
  `skill|${place.user_id}|${place.version}|${place.field}|${place.skill}`;

/** Writes these fields, each with a new version; null deletes one, and others stay. Call it in a transaction that has written the grant. */
export async function putSkillSecrets(
  trx: Db,
  keys: KeyProvider,
  { user_id, skill }: GrantPlace,
  secrets: Readonly<Record<string, string | null>>,
  now: string,
): Promise<void> {
  const rows = await secretsOf(trx, { user_id, skill });
  // Above all earlier versions, so that no row of an earlier time decrypts.
  const version = Math.max(0, ...rows.map((row) => row.version)) + 1;
  for (const [field, value] of Object.entries(secrets)) {
    await trx
      .deleteFrom('skill_secrets')
      .where((eb) => eb.and({ user_id, skill, field }))
      .execute();
    if (value === null) continue;
    const sealed = seal(keys, value, skillSecretContext({ user_id, skill, field, version }));
    await trx.insertInto('skill_secrets').values({ user_id, skill, field, version, sealed, updated_at: now }).execute();
  }
}

/** For runs only: nothing else may keep the result. Throws `crypto.corrupt` for modified rows. */
export async function readSkillSecrets(db: Db, keys: KeyProvider, place: GrantPlace): Promise<Record<string, string>> {
  const values: Record<string, string> = Object.create(null);
  for (const { field, version, sealed } of await secretsOf(db, place))
    values[field] = unseal(keys, sealed, skillSecretContext({ ...place, field, version })).toString();
  return values;
}

const ofPlace = (db: Db, { user_id, skill }: GrantPlace) =>
  db.selectFrom('skill_grants').where((eb) => eb.and({ user_id, skill }));

const secretsOf = (db: Db, { user_id, skill }: GrantPlace) =>
  db
    .selectFrom('skill_secrets')
    .select(['field', 'version', 'sealed'])
    .where((eb) => eb.and({ user_id, skill }))
    .orderBy('field')
    .execute();

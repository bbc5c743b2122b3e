import type { Kysely } from 'kysely';
import { idNamed } from '#catalog/identity/named.ts';
import type { Schema } from '#core/db/schema.ts';
import type { CapabilityRow } from '#core/db/schema-capabilities.ts';
import { marketplaceProblem } from '#marketplace/errors.ts';

/** A capability with all capabilities that were merged into it. A decision on one applies to all. */

type Db = Kysely<Schema>;

export type GroupMember = Pick<CapabilityRow, 'id' | 'provider_id' | 'external_id'>;

export interface Group {
  /** The current capability. */
  id: string;
  /** What was named: the current capability, or a listing that was merged into it. */
  asked_id: string;
  /** Includes itself and removed listings. */
  members: GroupMember[];
}

/** Finds the group by any name, current or former. Throws 404 `marketplace.not_found` (`capability`). */
export async function groupOf(db: Db, name: string): Promise<Group> {
  const id = name.includes('/') ? await idNamed(db, name) : name;
  const row =
    id === null || id.includes('\0')
      ? undefined
      : await db.selectFrom('capabilities').select('stands_id').where('id', '=', id).executeTakeFirst();
  if (id === null || row === undefined)
    throw marketplaceProblem('marketplace.not_found', 'Capability not found.', { reason: 'capability' });
  return { id: row.stands_id, asked_id: id, members: await membersOfGroup(db, row.stands_id) };
}

const membersOfGroup = (db: Db, standsId: string): Promise<GroupMember[]> =>
  db
    .selectFrom('capabilities')
    .select(['id', 'provider_id', 'external_id'])
    .where('stands_id', '=', standsId)
    .orderBy('id')
    .execute();

export const membersById = (db: Db, ids: readonly string[]): Promise<(GroupMember & { stands_id: string })[]> =>
  db
    .selectFrom('capabilities')
    .select(['id', 'provider_id', 'external_id', 'stands_id'])
    .where('id', 'in', [...ids, ''])
    .orderBy('id')
    .execute();

/** The `ids` that operators have split from one of `these`. The newest judgement of a pair counts. */
export async function judgedOther(db: Db, these: readonly string[], ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('capability_judgements')
    .select(['a_id', 'b_id', 'is_same'])
    .where('a_id', 'in', [...these, ...ids, ''])
    .where('b_id', 'in', [...these, ...ids, ''])
    .orderBy('at')
    .orderBy('id')
    .execute();
  const newest = new Map(rows.map((row) => [`${row.a_id} ${row.b_id}`, row]));
  const apart = [...newest.values()].filter(({ is_same }) => is_same === 0);
  return new Set(apart.map(({ a_id, b_id }) => (these.includes(a_id) ? b_id : a_id)));
}

export const idsOf = (members: readonly GroupMember[]): string[] => members.map(({ id }) => id);

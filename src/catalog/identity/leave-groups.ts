import type { Connection } from '#core/db/connection.ts';
import { capabilitiesById, pointingTo, saveCapabilities } from './link-store.ts';
import { regroup } from './regroup.ts';

/**
 * Takes what was taken down out of its groups at once, in a transaction of the caller's: each is a capability of its own from
 * then on, and the rest go on without it. What goes as a whole stays together.
 */
export async function leaveGroups(
  db: Pick<Connection, 'query'>,
  ids: readonly string[],
  at: { seq: number; now: string },
): Promise<void> {
  const leaving = (await capabilitiesById(db, ids)).map((it) => ({ ...it, is_live: 0, stands_id: it.id }));
  const before = [...new Set((await capabilitiesById(db, ids)).map(({ stands_id }) => stands_id))];
  const rest = (await pointingTo(db, before)).filter((it) => it.is_live === 1 && !ids.includes(it.id));
  if (rest.length === 0) return;
  const rows = new Map(leaving.map((it) => [it.id, it]));
  const changed = await regroup(db, [...rest.map(({ id }) => id)], {
    coming: { rows, links: new Map() },
    touched: rest.map(({ id }) => id),
  });
  const others = changed.filter(({ id }) => !rows.has(id));
  await saveCapabilities(db, [...others, ...leaving], at);
}

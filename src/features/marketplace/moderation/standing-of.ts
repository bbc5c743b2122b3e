import type { Connection } from '../../../platform/db/connection.ts';

/** What stands against capabilities, for whoever shows them: plain SQL that the index's thread runs too. */

export const MEASURES = ['flag', 'takedown'] as const;

/** One measure. Who took it is told by role: an operator, or one of our own checks. */
export interface Measure {
  /** Id of the entry of the history that took it: appeals name it. */
  id: string;
  measure: (typeof MEASURES)[number];
  kind: string;
  /** The rule that it goes against, in words or as an address. */
  rule: string;
  reason: string;
  by: 'operator' | 'automatic';
  at: string;
  appeal: 'none' | 'open' | 'upheld' | 'withdrawn';
}

export interface CapabilityStanding {
  /** The first takedown that stands; null where it may be shown and run. */
  takedown: Measure | null;
  /** Oldest first. */
  flags: Measure[];
}

export const NOTHING_AGAINST: CapabilityStanding = { takedown: null, flags: [] };

interface Row extends Omit<Measure, 'appeal'> {
  stands_id: string;
  appeal: Measure['appeal'] | null;
}

/** Below both engines' limits of parameters in one statement. */
const MOST = 500;

/** Of capabilities that stand, by id; those with nothing against any of their members are left out. */
export async function standingOf(
  connection: Pick<Connection, 'query'>,
  ids: readonly string[],
): Promise<Map<string, CapabilityStanding>> {
  const found = new Map<string, CapabilityStanding>();
  for (const row of await inChunks<Row>(connection, SELECT, ids)) {
    const { stands_id, appeal, ...rest } = row;
    const standing = found.get(stands_id) ?? { takedown: null, flags: [] };
    found.set(stands_id, withMeasure(standing, { ...rest, appeal: appeal ?? 'none' }));
  }
  return found;
}

/** A measure stands against several members of one capability and is told once. */
function withMeasure(standing: CapabilityStanding, it: Measure): CapabilityStanding {
  if (it.measure === 'takedown') return standing.takedown === null ? { ...standing, takedown: it } : standing;
  return standing.flags.some(({ id }) => id === it.id) ? standing : { ...standing, flags: [...standing.flags, it] };
}

const SELECT = `SELECT c.stands_id, m.measure_id AS id, m.measure, m.kind, m.rule, m.reason, m.actor AS "by", m.at,
    a.status AS appeal
  FROM capabilities c
  JOIN capability_measures m ON m.capability_id = c.id
  LEFT JOIN capability_appeals a ON a.measure_id = m.measure_id AND a.capability_id = m.capability_id
  WHERE c.stands_id IN (#)
  ORDER BY m.at, m.measure_id, a.status DESC`;

/** `#` in the text stands for the ids of one part. */
export async function inChunks<T>(
  connection: Pick<Connection, 'query'>,
  text: string,
  ids: readonly string[],
): Promise<T[]> {
  const rows: T[] = [];
  for (let at = 0; at < ids.length; at += MOST) {
    const some = ids.slice(at, at + MOST);
    rows.push(...(await connection.query<T>(text.replace('#', some.map(() => '?').join(', ')), some)));
  }
  return rows;
}

import type { Connection } from '#core/db/connection.ts';

/**
 * Active moderation of capabilities as a whole. An action that spares a live member applies only to the others, so it is not
 * included. Plain SQL, because the index thread uses it, too.
 */

export const MEASURES = ['flag', 'takedown'] as const;

/** A moderation action. Its actor is given as a role: an operator or the checks. */
export interface Measure {
  /** Id of its history entry, which appeals reference. */
  id: string;
  measure: (typeof MEASURES)[number];
  kind: string;
  /** The violated rule, as text or URL. */
  rule: string;
  reason: string;
  by: 'operator' | 'automatic';
  at: string;
  /** `granted` also if an operator overruled findings and reinstated them since. */
  appeal: 'none' | 'open' | 'upheld' | 'granted' | 'withdrawn';
}

export interface CapabilityStanding {
  /** The oldest active takedown; null if it may be shown and run. */
  takedown: Measure | null;
  /** Oldest first. */
  flags: Measure[];
}

export const NOTHING_AGAINST: CapabilityStanding = { takedown: null, flags: [] };

interface Row extends Omit<Measure, 'appeal'> {
  stands_id: string;
  appeal: Measure['appeal'] | null;
}

/** Below both databases' limit of parameters per statement. */
const MOST = 500;

/** Moderation of current capabilities, by id; those without any are absent. */
export async function standingOf(
  connection: Pick<Connection, 'query'>,
  ids: readonly string[],
): Promise<Map<string, CapabilityStanding>> {
  const found = new Map<string, CapabilityStanding>();
  for (const row of await inChunks<Row>(connection, SELECT, ids)) {
    const { stands_id, appeal, id, measure, kind, rule, reason, by, at } = row;
    const rest = { id, measure, kind, rule, reason, by, at };
    const standing = found.get(stands_id) ?? { takedown: null, flags: [] };
    found.set(stands_id, withMeasure(standing, { ...rest, appeal: appeal ?? 'none' }));
  }
  return found;
}

/** Adds an action once, even if it applies to several members. */
function withMeasure(standing: CapabilityStanding, measure: Measure): CapabilityStanding {
  if (measure.measure === 'takedown') return standing.takedown === null ? { ...standing, takedown: measure } : standing;
  return standing.flags.some(({ id }) => id === measure.id)
    ? standing
    : { ...standing, flags: [...standing.flags, measure] };
}

const selected = (
  more: string,
) => `SELECT c.stands_id, c.provider_id AS provider, c.external_id, m.measure_id AS id, m.measure,
    m.kind, m.rule, m.reason, m.actor AS "by", m.at, a.status AS appeal
  FROM capabilities c
  JOIN capability_measures m ON m.capability_id = c.id
  LEFT JOIN capability_appeals a ON a.measure_id = m.measure_id AND a.capability_id = m.capability_id
  WHERE c.stands_id IN (#) ${more}
  ORDER BY m.at, m.measure_id, a.status DESC`;

const SELECT = selected(`AND NOT EXISTS (
    SELECT 1 FROM capability_spared s JOIN capabilities o ON o.id = s.capability_id
    WHERE s.measure_id = m.measure_id AND o.stands_id = c.stands_id AND o.is_live = 1)`);
const SELECT_ALL = selected('');

interface MeasureOfListing extends Measure {
  provider: string;
  external_id: string;
}

/** Actions on one current capability, each with a listing that it affects, oldest first. */
export const measuresOfListings = async (
  connection: Pick<Connection, 'query'>,
  id: string,
): Promise<MeasureOfListing[]> =>
  (await inChunks<Row & { provider: string; external_id: string }>(connection, SELECT_ALL, [id])).map(
    ({ stands_id: _, appeal, ...rest }) => ({ ...rest, appeal: appeal ?? 'none' }),
  );

/** Runs a statement in chunks; `#` in the text is replaced by the parameters of one chunk. */
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

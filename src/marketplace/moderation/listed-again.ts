import type { Kysely } from 'kysely';
import type { Crowd } from '#catalog/identity/blocking.ts';
import { kindOf } from '#catalog/identity/blocking.ts';
import { crowdKeys, type Evidence, sharingOf } from '#catalog/identity/compare.ts';
import { countSharing, traitsOfIds } from '#catalog/identity/store.ts';
import type { Traits } from '#catalog/identity/traits.ts';
import type { Connection } from '#core/db/connection.ts';
import type { Schema } from '#core/db/schema.ts';
import type { CapabilityMeasureRow } from '#core/db/schema-moderation.ts';
import { hasBetterClaim, relistingOf } from './relisting.ts';

/** New and changed listings that share their origin with a moderated one. Reads only. */

type Db = Pick<Connection, 'query'>;

export interface Due {
  measure: CapabilityMeasureRow;
  id: string;
  /** `alike`: uncertain; an operator has to decide. `spared`: it was merged with a listing of another account. */
  verdict: 'same' | 'alike' | 'merged' | 'spared';
  evidence: readonly Pick<Evidence, 'kind' | 'value'>[];
}

interface Holder {
  measure_id: string;
  down_id: string;
  key: string;
  id: string;
  seq: number;
}

/** Capabilities that changed after this number. */
export async function listedAgain(db: Db, trx: Kysely<Schema>, since: number): Promise<Due[]> {
  const settled = await settledOf(trx);
  const measures = await measuresByMember(trx);
  if (measures.size === 0) return [];
  const isOpen = ({ measure_id, id }: Pick<Holder, 'measure_id' | 'id'>) => !settled.has(`${measure_id} ${id}`);
  const due = [
    ...(await ofProviders(db, measures, since, isOpen)),
    ...(await ofOurs(db, measures, since, isOpen)),
    ...(await mergedSince(db, measures, isOpen)),
  ];
  // If it matches several moderated listings, the strongest verdict wins.
  const best = new Map<string, Due>();
  const rank = ({ verdict }: Due) => ['same', 'merged', 'alike', 'spared'].indexOf(verdict);
  for (const ofProvider of due.toSorted((a, b) => rank(a) - rank(b))) {
    const key = `${ofProvider.measure.measure_id} ${ofProvider.id}`;
    if (!best.has(key)) best.set(key, ofProvider);
  }
  return [...best.values()];
}

async function settledOf(trx: Kysely<Schema>): Promise<Set<string>> {
  const rows = [
    ...(await trx.selectFrom('capability_measures').select(['measure_id', 'capability_id']).execute()),
    ...(await trx.selectFrom('capability_spared').select(['measure_id', 'capability_id']).execute()),
  ];
  return new Set(rows.map((row) => `${row.measure_id} ${row.capability_id}`));
}

async function measuresByMember(trx: Kysely<Schema>): Promise<Map<string, CapabilityMeasureRow>> {
  const rows = await trx.selectFrom('capability_measures').selectAll().execute();
  return new Map(rows.map((row) => [`${row.measure_id} ${row.capability_id}`, row]));
}

type Measures = ReadonlyMap<string, CapabilityMeasureRow>;
type IsOpen = (holder: Pick<Holder, 'measure_id' | 'id'>) => boolean;

async function ofProviders(db: Db, measures: Measures, since: number, isOpen: IsOpen): Promise<Due[]> {
  const holders = await db.query<Holder>(
    `SELECT k.measure_id, k.capability_id AS down_id, k.key, c.id, c.seq
     FROM capability_measure_keys k JOIN capability_keys h ON h.key = k.key
     JOIN capabilities c ON c.id = h.id AND c.is_live = 1`,
  );
  const pairs = new Map(
    holders
      .filter((holder) => holder.seq > since && isOpen(holder))
      .map((holder) => [`${holder.measure_id} ${holder.down_id} ${holder.id}`, holder]),
  );
  const traits = await traitsOfIds(db, [...new Set([...pairs.values()].map(({ id }) => id))]);
  const judged = [...pairs.values()].flatMap((pair) => {
    const measure = measures.get(`${pair.measure_id} ${pair.down_id}`);
    const [down, found] = [traitsIn(measure), traits.get(pair.id)];
    return measure === undefined || down === null || found === undefined
      ? []
      : [{ pair, measure, down, traits: found }];
  });
  const crowd = await crowdOf(db, judged);
  return judged.flatMap(({ pair, measure, down, traits }): Due[] => {
    const found = relistingOf(down, traits, crowd);
    if (found === null) return [];
    const others = holders.filter((other) => wasUnaffected(other, pair));
    const isSame = found.is_same && (others.length === 0 || !found.evidence.every(({ kind }) => ARTEFACTS.has(kind)));
    return [{ measure, id: pair.id, verdict: isSame ? 'same' : 'alike', evidence: found.evidence }];
  });
  /** Whether another listing with the same key existed when the action was taken and was not affected: the key is not the problem. */
  function wasUnaffected(other: Holder, { measure_id, down_id, id }: Holder): boolean {
    if (other.measure_id !== measure_id || other.down_id !== down_id || other.id === id) return false;
    // Ids are in chronological order.
    if (!isArtefact(other) || other.id > measure_id || measures.has(`${measure_id} ${other.id}`)) return false;
    return holders.some((own) => own.id === id && own.key === other.key);
  }
}

const ARTEFACTS: ReadonlySet<string> = new Set(['package', 'remote']);
const isArtefact = ({ key }: Holder): boolean => ARTEFACTS.has(kindOf(key));

const traitsIn = (measure: CapabilityMeasureRow | undefined): Traits | null =>
  measure === undefined || measure.traits === '' ? null : JSON.parse(measure.traits);

async function crowdOf(db: Db, pairs: readonly { down: Traits; traits: Traits }[]): Promise<Crowd> {
  const keys = [...new Set(pairs.flatMap(({ down, traits }) => crowdKeys(down, traits)))];
  return sharingOf(await countSharing(db, keys)).on;
}

/** Kinds of reasons that lie in the files, under any publisher. */
const OF_CONTENT = new Set(['malware', 'secrets', 'injection']);

async function ofOurs(db: Db, measures: Measures, since: number, isOpen: IsOpen): Promise<Due[]> {
  const rows = await db.query<Holder & { ours: string; theirs: string; digest: string }>(
    `SELECT k.measure_id, k.capability_id AS down_id, k.key, c.id, c.seq, v.digest,
       d.publisher_id AS ours, p.publisher_id AS theirs
     FROM capability_measure_keys k JOIN published_versions v ON v.digest = substr(k.key, 12)
     JOIN published_listings p ON p.id = v.listing_id JOIN published_listings d ON d.id = k.capability_id
     JOIN capabilities c ON c.id = p.id AND c.is_live = 1
     WHERE k.key LIKE 'own|digest|%' AND v.status <> 'unpublished'`,
  );
  return rows.flatMap((row): Due[] => {
    const measure = measures.get(`${row.measure_id} ${row.down_id}`);
    if (measure === undefined || row.seq <= since || !isOpen(row)) return [];
    const isSame = row.ours === row.theirs || OF_CONTENT.has(measure.kind);
    const evidence = [{ kind: 'digest', value: row.digest }];
    return [{ measure, id: row.id, verdict: isSame ? 'same' : 'alike', evidence }];
  });
}

/** Listings that were merged with a moderated one are affected, unless they prove another account. */
async function mergedSince(db: Db, measures: Measures, isOpen: IsOpen): Promise<Due[]> {
  const rows = (
    await db.query<Pick<Holder, 'measure_id' | 'down_id' | 'id'>>(
      `SELECT m.measure_id, m.capability_id AS down_id, o.id FROM capability_measures m
       JOIN capabilities u ON u.id = m.capability_id
       JOIN capabilities o ON o.stands_id = u.stands_id AND o.is_live = 1 AND o.id <> u.id`,
    )
  ).filter(isOpen);
  const traits = await traitsOfIds(db, [...new Set(rows.map(({ id }) => id))]);
  return rows.flatMap((row): Due[] => {
    const measure = measures.get(`${row.measure_id} ${row.down_id}`);
    if (measure === undefined) return [];
    const [down, trait] = [traitsIn(measure), traits.get(row.id)];
    const isAnother = down !== null && trait !== undefined && hasBetterClaim(trait, down);
    return [{ measure, id: row.id, verdict: isAnother ? 'spared' : 'merged', evidence: [] }];
  });
}

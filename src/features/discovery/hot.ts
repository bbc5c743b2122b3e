import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { itemPath } from '../registry/item-path.ts';
import { namesOf } from '../registry/read-items.ts';
import type { SkillShelf } from '../skills/load-skills.ts';
import { countRuns, countRunsByDay, type DayCount, type RunCount } from '../tasks/run-counts.ts';
import { type HotItem, type HotList, splitRef } from './shapes.ts';

/** What is run most, from the runs of this service alone. Counting them costs, so the answer stands for a while. */

export type ReadHot = () => Promise<HotList>;

export interface HotDeps {
  db: Kysely<Schema>;
  clock: Clock;
  skills: Pick<SkillShelf, 'get'>;
}

const DAYS = 7;
const DAY_MS = 86_400_000;
/** The most there are, whatever is asked for. */
export const MOST_HOT = 200;
const KEPT_MS = 30_000;

export function openHot(deps: HotDeps): ReadHot {
  let kept: { until_ms: number; list: Promise<HotList> } | undefined;
  return () => {
    if (kept !== undefined && deps.clock.now() < kept.until_ms) return kept.list;
    const list = read(deps);
    kept = { until_ms: deps.clock.now() + KEPT_MS, list };
    list.catch(() => {
      kept = undefined;
    });
    return list;
  };
}

async function read(deps: HotDeps): Promise<HotList> {
  const { db, clock } = deps;
  const today_ms = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const from = isoTime(today_ms - (DAYS - 1) * DAY_MS);
  const counts = await countRuns(db, { from, kinds: ['skill', 'listing'], most: MOST_HOT });
  const [capabilities, days] = await Promise.all([
    capabilitiesOf(deps, counts),
    countRunsByDay(db, from, [...new Set(counts.map(({ ref }) => ref))]),
  ]);
  const items = counts.flatMap((count): HotItem[] => {
    const capability = capabilities.get(keyOf(count));
    if (capability === undefined) return [];
    const { runs, completed, callers } = count;
    const success_rate = Math.round((completed / runs) * 10_000) / 10_000;
    return [{ capability, score: null, runs, success_rate, callers, trend: trendOf(days, count, from) }];
  });
  return { items, window: { days: DAYS, from, to: isoTime(today_ms + DAY_MS) } };
}

const keyOf = ({ kind, ref }: Pick<RunCount, 'kind' | 'ref'>): string => `${kind} ${ref}`;

function trendOf(days: readonly DayCount[], of: RunCount, from: string): number[] {
  const trend = Array.from({ length: DAYS }, () => 0);
  for (const it of days)
    if (keyOf(it) === keyOf(of)) trend[Math.round((Date.parse(it.day) - Date.parse(from)) / DAY_MS)] = it.runs;
  return trend;
}

type Capability = HotItem['capability'];

/** Of what everybody can see: what is gone, or never was there, is not told of. */
async function capabilitiesOf({ db, skills }: HotDeps, counts: readonly RunCount[]): Promise<Map<string, Capability>> {
  const found = new Map<string, Capability>();
  const add = (it: Capability) => found.set(keyOf(it), it);
  const keys = counts.filter(({ kind }) => kind === 'listing').map(({ ref }) => splitRef(ref));
  for (const { provider_id, external_id, name, description } of await namesOf(db, keys)) {
    const ref = `${provider_id}/${external_id}`;
    add({ kind: 'listing', ref, name, description, url: itemPath(provider_id, external_id) });
  }
  for (const { kind, ref } of counts) {
    const skill = kind === 'skill' ? skills.get(ref) : undefined;
    if (skill === undefined) continue;
    const { name, description } = skill;
    add({ kind: 'skill', ref, name, description, url: `/api/skills/${encodeURIComponent(name)}` });
  }
  return found;
}

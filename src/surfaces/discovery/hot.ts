import type { Kysely } from 'kysely';
import { itemPath } from '#catalog/items/item-path.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { namesOf } from '#catalog/items/read-items.ts';
import { shownOf } from '#catalog/items/version.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import { flaggedAmong } from '#marketplace/documents/flagged-among.ts';
import { findListing, fullName, listVersions } from '#marketplace/listings/listings.ts';
import { TREND_DAYS } from '#marketplace/proof/compute.ts';
import { hottest, type Score } from '#marketplace/proof/scores.ts';
import { keyOfSubject } from '#marketplace/proof/targets.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { HotItem, HotList } from './shapes.ts';

/**
 * What independent accounts run most and best, from the scores of the marketplace. Looking up names is expensive, so a
 * response is reused for a while.
 */

export type ReadHot = () => Promise<HotList>;

interface HotDeps {
  db: Kysely<Schema>;
  clock: Clock;
  skills: Pick<SkillStore, 'get'>;
  engine: Database['engine'];
}

const DAY_MS = 86_400_000;
/** Maximum length, whatever is requested. */
const MOST_HOT = 200;
const KEPT_MS = 5_000;

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
  const todayMs = Math.floor(deps.clock.now() / DAY_MS) * DAY_MS;
  const from = isoTime(todayMs - (TREND_DAYS - 1) * DAY_MS);
  const ranked = await hottest(deps.db, MOST_HOT);
  const flagged = await flaggedAmong(
    connectionOver(deps.db, deps.engine),
    ranked.map(({ id }) => id),
  );
  // Flagged and removed capabilities are not recommended, however often they run.
  const scores = ranked.filter(({ id }) => !flagged.has(id));
  const named = await capabilitiesOf(deps, scores);
  const items = scores.flatMap((score): HotItem[] => {
    const capability = named.get(score.id);
    if (capability === undefined) return [];
    const { hot_score, runs, success_rate, callers, trend, level } = score;
    return [{ capability, score: hot_score, runs, success_rate, callers, trend, level }];
  });
  return { items, window: { days: TREND_DAYS, from, to: isoTime(todayMs + DAY_MS) } };
}

type Capability = HotItem['capability'];

/** Visible capabilities by the id of their score; removed and unknown ones are left out. */
async function capabilitiesOf({ db, skills }: HotDeps, scores: readonly Score[]): Promise<Map<string, Capability>> {
  const found = new Map<string, Capability>();
  const ofListing = new Map<string, string>();
  for (const { id, level_subject } of scores) {
    const key = keyOfSubject(level_subject);
    if (key === undefined) {
      const skill = skills.get(level_subject.slice('skill/'.length));
      if (skill !== undefined) found.set(id, ofSkill(skill));
    } else if (key.provider_id === OWN_SOURCE) {
      const own = await ofPublished(db, key.external_id);
      if (own !== null) found.set(id, own);
    } else ofListing.set(level_subject.slice('listing/'.length), id);
  }
  const keys = [...ofListing.keys()].flatMap((key) => keyOfSubject(`listing/${key}`) ?? []);
  for (const { provider_id, external_id, name, description } of await namesOf(db, keys)) {
    const ref = `${provider_id}/${external_id}`;
    const url = itemPath(provider_id, external_id);
    found.set(ofListing.get(ref) as string, { kind: 'listing', ref, name, description, url });
  }
  return found;
}

const ofSkill = ({ name, description }: Pick<Capability, 'name' | 'description'>): Capability => ({
  kind: 'skill',
  ref: name,
  name,
  description,
  url: `/api/skills/${encodeURIComponent(name)}`,
});

async function ofPublished(db: Kysely<Schema>, id: string): Promise<Capability | null> {
  const listing = await findListing(db, id);
  if (listing === undefined || listing.status !== 'live' || listing.taken_down !== null) return null;
  const shown = shownOf(await listVersions(db, [id]));
  if (shown === null) return null;
  const { description } = shown;
  return { kind: 'capability', ref: id, name: fullName(listing), description, url: `/api/marketplace/listings/${id}` };
}

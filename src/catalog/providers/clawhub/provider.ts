import { SKILL_HOSTS } from '#catalog/install/skill-hosts.ts';
import { member, rejected } from '#catalog/sync/adapt-record.ts';
import { pageWatermark } from '#catalog/sync/page-watermark.ts';
import type { Adapted, Page, PageRequest, Provider } from '#catalog/sync/provider.ts';
import { adaptCatalogItem } from './adapt.ts';
import { type Cursor, readCursor } from './cursor.ts';
import { fetchDetail, fetchFile } from './detail.ts';
import { lastUpdate, listCatalog, listPlugins, listSkills, orAbsent, updatedAt } from './lists.ts';
import { adaptSkills, fromDetail, ownersOf } from './owners.ts';
import type { ListPage } from './wire.ts';

/**
 * Reads skills, then plugins, then claws. Each list is sorted by change time, newest first, so an incremental sync stops at known
 * items. The packages list has a hundred skills per request with owner, topics and numbers. If it lacks them, the skills list is
 * read instead and the owners are looked up.
 */
function fetchPage(request: PageRequest): Promise<Page> {
  const at = readCursor(request.cursor);
  if (at.part === 'catalog') return fetchCatalog(request, at);
  if (at.part === 'skills') return fetchSkills(request, at);
  if (at.part === 'plugins') return fetchPlugins(request, at);
  return fetchClaws(request, at);
}

async function fetchCatalog(request: PageRequest, at: Cursor): Promise<Page> {
  const first = at.after === null;
  const list = await firstOrAbsent(listCatalog(request, 'skill', at.after), at);
  const skills = list?.items.filter((item) => member(item, 'family') === 'skill') ?? [];
  if (list === null || (first && skills.length === 0)) return fetchSkills(request, { part: 'skills', after: null });
  if (first && !skills.some((item) => member(item, 'stats'))) {
    return fetchSkills(request, { part: 'skills', after: null, owners_after: null });
  }
  const items = fresh(request, list.items).filter((item) => !isPackage(item));
  const records = await Promise.all(items.map((item) => withOwner(request, item)));
  return pageOf(records, following(request, list, at, 'plugins'), pageWatermark(records));
}

/** A skill of a removed account may have no owner. */
function withOwner(request: PageRequest, item: unknown): Adapted | Promise<Adapted> {
  const slug = member(item, 'name');
  const lost = member(item, 'family') === 'skill' && typeof slug === 'string' && !member(item, 'ownerHandle');
  return lost ? fromDetail(request, slug, item, null) : adaptCatalogItem(item);
}

async function fetchSkills(request: PageRequest, at: Cursor): Promise<Page> {
  const list = await listSkills(request, at.after);
  const items = fresh(request, list.items);
  const from = at.owners_after;
  const { owners, after } =
    from === undefined ? { owners: new Map(), after: undefined } : await ownersOf(request, items, from);
  const records = await adaptSkills(request, items, owners);
  const here: Cursor = after === undefined ? at : { ...at, owners_after: after };
  return pageOf(records, following(request, list, here, 'plugins'), pageWatermark(records));
}

/** No watermark from here on, so that the next sync finds changes during the reading of skills. */
async function fetchPlugins(request: PageRequest, at: Cursor): Promise<Page> {
  const list = await firstOrAbsent(listPlugins(request, at.after), at);
  if (list === null) {
    const gone = rejected({ path: '/api/v1/plugins' }, null, 'the list of plugins is missing; this sync skips plugins');
    return pageOf([gone], { part: 'claws', after: null }, null);
  }
  return pageOf(fresh(request, list.items).map(adaptCatalogItem), following(request, list, at, 'claws'), null);
}

/** Experimental: a deployment without claws rejects the family, which is not an error. */
async function fetchClaws(request: PageRequest, at: Cursor): Promise<Page> {
  const list = await firstOrAbsent(listCatalog(request, 'claw', at.after), at);
  if (list === null) return pageOf([], null, null);
  const claws = list.items.filter((item) => member(item, 'family') === 'claw');
  return pageOf(fresh(request, claws).map(adaptCatalogItem), following(request, list, at, null), null);
}

/** A list may be missing from the start, but must not stop in the middle, which would look like its end. */
const firstOrAbsent = <T>(promise: Promise<T>, { after }: Cursor): Promise<T | null> =>
  after === null ? orAbsent(promise) : promise;

/** Packages have separate lists. */
const isPackage = (item: unknown): boolean =>
  ['code-plugin', 'bundle-plugin', 'claw'].includes(`${member(item, 'family')}`);

function sinceMs({ mode, since }: PageRequest): number {
  const at = mode === 'incremental' && since !== null ? Date.parse(since) : Number.NaN;
  return Number.isNaN(at) ? Number.NEGATIVE_INFINITY : at;
}

/** Includes items at the watermark, because others may have changed in the same millisecond. */
const fresh = (request: PageRequest, items: readonly unknown[]): unknown[] =>
  items.filter((item) => (updatedAt(item) ?? Number.POSITIVE_INFINITY) >= sinceMs(request));

/** The next page of this list, or the start of the next part. An empty page with a cursor is not the end. */
function following(request: PageRequest, list: ListPage, at: Cursor, part: Cursor['part'] | null): Cursor | null {
  const after = list.nextCursor ?? null;
  if (after !== null && lastUpdate(list.items) >= sinceMs(request)) return { ...at, after };
  return part === null ? null : { part, after: null };
}

const pageOf = (records: Adapted[], next: Cursor | null, watermark: string | null): Page => ({
  records,
  next: next === null ? null : JSON.stringify(next),
  total: null,
  watermark,
});

export const clawhub: Provider = {
  id: 'clawhub',
  title: 'ClawHub',
  base_url: SKILL_HOSTS.clawhub,
  key: 'none',
  incremental: true,
  // At most 1,200 of the allowed 3,000 requests per minute.
  pace: { concurrency: 4, interval_ms: 50, timeout_ms: 20_000, max_bytes: 8_000_000 },
  fetchPage,
  detail: { listing_types: ['skill', 'harness'], fetch: fetchDetail, file: fetchFile },
};

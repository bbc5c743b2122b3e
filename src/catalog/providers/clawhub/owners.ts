import { mismatch, rejected } from '#catalog/sync/adapt-record.ts';
import type { Adapted, PageRequest } from '#catalog/sync/provider.ts';
import { adaptSkillDetail, adaptSkillItem } from './adapt.ts';
import { lastUpdate, listCatalog, orAbsent, skillDetail } from './lists.ts';
import { CatalogItem, SkillItem } from './wire.ts';

/** Owners for the skills list, which has none: out of the packages list over the same span of changes, else one by one. */

// The two lists hold the same skills in the same order, so more pages than this for one are a list that never ends.
const MAX_PAGES = 20;

/** Slug and time of change → who it may belong to. */
type Owners = Map<string, string[]>;

const keyOf = (slug: string, updated_at: number | null | undefined): string => `${updated_at ?? ''} ${slug}`;

/** `after` is the page to begin with next time: it may hold owners of the next skills too. */
export const ownersOf = async (
  request: PageRequest,
  items: readonly unknown[],
  from: string | null,
): Promise<{ owners: Owners; after: string | null }> => {
  const owners: Owners = new Map();
  const until = lastUpdate(items);
  let after = from;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await orAbsent(listCatalog(request, 'skill', after));
    for (const item of page?.items ?? []) collect(owners, item);
    const next = page?.nextCursor ?? null;
    if (page === null || next === null || next === after || lastUpdate(page.items) < until) break;
    after = next;
  }
  return { owners, after };
};

const collect = (owners: Owners, item: unknown): void => {
  if (mismatch(CatalogItem, item) !== null) return;
  const { name, family, ownerHandle, updatedAt } = item as CatalogItem;
  if (family !== 'skill' || !ownerHandle) return;
  const key = keyOf(name, updatedAt);
  const known = owners.get(key) ?? [];
  if (!known.includes(ownerHandle)) owners.set(key, [...known, ownerHandle]);
};

/** Listed skills with their owners. One whose owner is missing or shared is asked for by itself. */
export const adaptSkills = (request: PageRequest, items: readonly unknown[], owners: Owners): Promise<Adapted[]> => {
  const taken = new Map<string, number>();
  const adapt = (item: unknown): Adapted | Promise<Adapted> => {
    if (mismatch(SkillItem, item) !== null) return adaptSkillItem(item, null);
    const { slug, updatedAt } = item as SkillItem;
    const key = keyOf(slug, updatedAt);
    const candidates = owners.get(key) ?? [];
    if (candidates.length === 1) return adaptSkillItem(item, candidates[0] ?? null);
    // Each takes one of several: the answer about that owner's skill is whole in itself, so nothing is mixed.
    const turn = taken.get(key) ?? 0;
    taken.set(key, turn + 1);
    return fromDetail(request, slug, item, candidates[turn] ?? null);
  };
  return Promise.all(items.map(adapt));
};

/** The skill as its own address tells it. */
export const fromDetail = async (
  request: PageRequest,
  slug: string,
  listed: unknown,
  owner: string | null,
): Promise<Adapted> => {
  const answer = await skillDetail(request, slug, owner);
  if ('detail' in answer) return adaptSkillDetail(answer.detail, owner === null ? listed : null);
  return rejected(listed, null, `/slug: the owner of ${slug} cannot be told, since ${answer.refused}`);
};

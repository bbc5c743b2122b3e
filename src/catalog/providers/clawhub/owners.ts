import { mismatch, rejected } from '#catalog/sync/adapt-record.ts';
import type { Adapted, PageRequest } from '#catalog/sync/provider.ts';
import { adaptSkillDetail, adaptSkillItem } from './adapt.ts';
import { lastUpdate, listCatalog, orAbsent, skillDetail } from './lists.ts';
import { CatalogItem, SkillItem } from './wire.ts';

/** Finds owners for the skills list, which has none: from the packages list over the same time span, or else one by one. */

// Both lists have the same skills in the same order, so more pages than this mean a list without end.
const MAX_PAGES = 20;

/** By slug and change time: possible owners. */
type Owners = Map<string, string[]>;

const keyOf = (slug: string, updatedText: number | null | undefined): string => `${updatedText ?? ''} ${slug}`;

/** `after` is the page to start with next time, because it may have owners of the next skills. */
export async function ownersOf(
  request: PageRequest,
  items: readonly unknown[],
  from: string | null,
): Promise<{ owners: Owners; after: string | null }> {
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
}

function collect(owners: Owners, item: unknown): void {
  if (mismatch(CatalogItem, item) !== null) return;
  const { name, family, ownerHandle, updatedAt } = item as CatalogItem;
  if (family !== 'skill' || !ownerHandle) return;
  const key = keyOf(name, updatedAt);
  const known = owners.get(key) ?? [];
  if (!known.includes(ownerHandle)) owners.set(key, [...known, ownerHandle]);
}

/** Adapts listed skills with their owners. If the owner is missing or ambiguous, the skill's detail is fetched. */
export function adaptSkills(request: PageRequest, items: readonly unknown[], owners: Owners): Promise<Adapted[]> {
  const taken = new Map<string, number>();
  const adapt = (item: unknown): Adapted | Promise<Adapted> => {
    if (mismatch(SkillItem, item) !== null) return adaptSkillItem(item, null);
    const { slug, updatedAt } = item as SkillItem;
    const key = keyOf(slug, updatedAt);
    const candidates = owners.get(key) ?? [];
    if (candidates.length === 1) return adaptSkillItem(item, candidates[0] ?? null);
    // Each skill takes one candidate. The detail of that owner's skill is complete, so nothing is mixed up.
    const turn = taken.get(key) ?? 0;
    taken.set(key, turn + 1);
    return fromDetail(request, slug, item, candidates[turn] ?? null);
  };
  return Promise.all(items.map(adapt));
}

/** Adapts a skill from its detail. */
export async function fromDetail(
  request: PageRequest,
  slug: string,
  listed: unknown,
  owner: string | null,
): Promise<Adapted> {
  const answer = await skillDetail(request, slug, owner);
  if ('detail' in answer) return adaptSkillDetail(answer.detail, owner === null ? listed : null);
  return rejected(listed, null, `/slug: the owner of ${slug} is unknown, because ${answer.refused}`);
}

import { LRUCache } from 'lru-cache';
import { parts } from '#catalog/changes/fold.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { Problem } from '#core/problem/problem.ts';
import { editDistance } from '#core/text/edit-distance.ts';
import { plain, quoted } from '#core/tools/words.ts';
import type { ListingSearch } from './listing-search.ts';

/** Something that a mistyped name may mean. */
interface Near {
  /** A name that works wherever capabilities are named. */
  ref: string;
  name: string;
}

/** The names nearest to a text that names nothing, best first; empty if nothing is similar. */
export type Nearest = (text: string) => readonly Near[];

const MOST = 3;
/** A longer text is not a mistyped name. */
const MOST_CHARS = 100;
const MOST_EDITS = 2;

interface NearestDeps {
  search: Pick<ListingSearch, 'listingsNow'>;
  /** Names of first-party skills. */
  skills: readonly { name: string }[];
}

export function nearestNames(deps: NearestDeps): Nearest {
  const known = new LRUCache<string, readonly Near[]>({ max: MOST_KEPT, ttl: KEPT_MS });
  return (text) => {
    if (text.length > MOST_CHARS) return [];
    // Every client that has an old link asks for the same names.
    const before = known.get(text);
    if (before !== undefined) return before;
    const listed = nearestListings(deps.search, text);
    const found = [...nearestSkills(deps.skills, text), ...(listed ?? [])].slice(0, MOST);
    if (listed !== null) known.set(text, found);
    return found;
  };
}

const MOST_KEPT = 1_000;
const KEPT_MS = 60_000;

function nearestSkills(skills: NearestDeps['skills'], text: string): Near[] {
  const last = text.slice(text.lastIndexOf('/') + 1);
  return skills
    .map(({ name }) => ({ ref: `skill/${name}`, name, edits: editDistance(name, last) }))
    .filter(({ edits }) => edits <= MOST_EDITS)
    .toSorted((a, b) => a.edits - b.edits)
    .map(({ ref, name }) => ({ ref, name }));
}

/** Null while an index is being built. */
function nearestListings(search: NearestDeps['search'], text: string): Near[] | null {
  const words = parts(text).join(' ');
  if (words === '') return [];
  const found = search.listingsNow({
    text: words,
    sources: PROVIDERS,
    with_built_in: false,
    listing_type: null,
    execution_class: null,
    tag: null,
    offset: 0,
    limit: MOST,
  });
  return (
    found?.hits.map(({ item }) => ({
      ref: `${item.provider_id}/${item.external_id}`,
      name: plain(item.name, 100),
    })) ?? null
  );
}

/** Adds the nearest names to a failure that says that nothing has this name. */
export function withNearest(error: unknown, nearest: Nearest | undefined, text: string): unknown {
  if (!(error instanceof Problem) || error.kind !== 'not_found' || 'nearest' in error.extensions) return error;
  const found = nearest?.(text) ?? [];
  if (found.length === 0) return error;
  const { kind, code, message, headers, extensions } = error;
  const detail = `${message} Nearest: ${found.map(({ ref }) => quoted(ref, 200)).join(', ')}.`;
  return new Problem(kind, code, detail, { cause: error, headers, extensions: { ...extensions, nearest: found } });
}

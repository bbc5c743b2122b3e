import { higherOf, LEVELS, type Level } from '../../registry/verification.ts';
import type { CapabilityPublisher } from '../claims/publishers-of.ts';
import type { FeaturedNote } from '../featured/featured-of.ts';
import type { Member } from '../identity/member.ts';
import { inOrder, mergeMembers } from '../identity/merged.ts';
import type { CapabilityStanding } from '../moderation/standing-of.ts';
import { checkListing } from '../proof/check-listing.ts';
import type { ShownScore } from '../proof/shown-scores.ts';
import { type Listing, listingOf, SOURCES } from '../shapes.ts';
import type { Searched } from './texts.ts';
import { ownName, tokens } from './tokens.ts';

/** What the index holds of a capability: what the API shows of it, and what it is searched by. Pure. */
export interface CapabilityDocument {
  wire: Listing;
  searched: Searched;
  /** How much each member is used, as its provider counts. */
  used: readonly { provider: string; downloads: number; stars: number }[];
}

/** What is known beside what is listed. */
export interface Known {
  score: ShownScore | null;
  standing: CapabilityStanding;
  featured: FeaturedNote | null;
  publisher: CapabilityPublisher | null;
}

export { LEVELS, type Level, SOURCES };

/** Whether a run of it really happened here. */
export const isVerified = (level: Level): boolean => LEVELS.indexOf(level) >= LEVELS.indexOf('ran');

/** Of at least one member. */
export function documentOf(id: string, members: readonly Member[], known: Known): CapabilityDocument {
  const all = inOrder(members);
  const wire = wireOf(id, all, known);
  return {
    wire,
    searched: {
      ...{ name: wire.name, tags: wire.tags, author: wire.author, description: wire.description },
      other_names: otherNames(wire.name, all),
      places: all.map(({ provider_id, external_id }) => ({ provider: provider_id, external_id })),
    },
    used: all.map(({ provider_id, downloads, stars }) => ({ provider: provider_id, downloads, stars })),
  };
}

/** Names that say something else. */
function otherNames(name: string, members: readonly Member[]): string[] {
  const keyOf = (it: string) => tokens(ownName(it)).join(' ');
  const others = new Map(members.map((it) => [keyOf(it.name), it.name]));
  others.delete(keyOf(name));
  return [...others.values()];
}

function wireOf(id: string, members: readonly Member[], { score, standing, featured, publisher }: Known): Listing {
  const { repository: _, homepage: __, provenance: ___, ...merged } = mergeMembers(members);
  const own = ownOf(members);
  const checked_at = own?.verification.checked_at ?? checkedSince(members);
  const level = higherOf((score?.level ?? 'listed') as Level, checked_at === null ? 'listed' : 'checked');
  const since = score?.level === level ? score.reached_at : checked_at;
  return {
    id,
    ...merged,
    ...own?.shown,
    sources: (merged.sources as Listing['sources']).map((it) =>
      it.external_id === own?.source.external_id ? own.source : it,
    ),
    publisher: publisher === null ? (own?.publisher ?? null) : publisherRef(publisher),
    verification: { level, checked_at: level === 'listed' ? null : since },
    hot_score: score === null ? null : score.hot_score,
    featured: featured !== null,
    flagged: standing.flags.length > 0,
    created_at: own === null ? merged.created_at : own.created_at,
    updated_at: own !== null && own.updated_at > merged.updated_at ? own.updated_at : merged.updated_at,
  };
}

const publisherRef = ({ id, name, by }: CapabilityPublisher) => ({ id, name, by });

/** When what its record says last changed, of the first in which the static checks find nothing grave; null of none. */
const checkedSince = (members: readonly Member[]): string | null =>
  members.find((it) => !checkListing(it).is_grave)?.changed_at ?? null;

/** Of what is published here, which is believed before anybody else, what only we know. */
function ownOf(members: readonly Member[]) {
  const published = members.find((it) => it.published !== null)?.published;
  const listing = published == null ? null : listingOf(published.listing, published.versions);
  if (listing === null) return null;
  const { name, description, author, version, license, digest, status, status_reason, claimed, findings } = listing;
  return {
    shown: {
      name,
      description,
      author,
      version,
      license,
      digest,
      status,
      status_reason,
      claimed,
      findings,
    } as Partial<Listing>,
    source: listing.sources[0] as Listing['sources'][number],
    ...{ publisher: listing.publisher, verification: listing.verification },
    ...{ created_at: listing.created_at, updated_at: listing.updated_at },
  };
}

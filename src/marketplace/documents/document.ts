import type { Member } from '#catalog/identity/capabilities.ts';
import type { Contents } from '#catalog/identity/contents.ts';
import { inOrder, mergeMembers, relatedMembers } from '#catalog/identity/survivorship.ts';
import { isHeldAgainst, LEVELS, type Level } from '#catalog/items/verification.ts';
import type { CapabilityDocument } from '#catalog/search/index/document.ts';
import { ownName, tokenize } from '#catalog/search/text/tokenize.ts';
import type { CapabilityPublisher } from '#marketplace/claims/publishers-of.ts';
import type { FeaturedNote } from '#marketplace/featured/featured-of.ts';
import { type Listing, listingOf } from '#marketplace/listings/shapes.ts';
import { type Overrules, overruleKey } from '#marketplace/moderation/overrules.ts';
import type { CapabilityStanding } from '#marketplace/moderation/standing-of.ts';
import { examine, judge, withOverrule } from '#marketplace/proof/examine.ts';
import type { ShownScore } from '#marketplace/proof/shown-scores.ts';
import { availabilityOf } from './availability.ts';

/** What the marketplace knows about a capability beside its listings. */
export interface MarketplaceFacts {
  score: ShownScore | null;
  standing: CapabilityStanding;
  featured: FeaturedNote | null;
  publisher: CapabilityPublisher | null;
  overrules: Overrules;
  /** Whether this service has a language model. */
  has_model: boolean;
}

/** The document of a capability with at least one member. Pure. */
export function documentOf(
  id: string,
  members: readonly Member[],
  facts: MarketplaceFacts,
  { tools, titles, texts }: Contents = NO_CONTENTS,
): CapabilityDocument<Listing> {
  const all = inOrder(members);
  const wire = wireOf(id, all, facts);
  return {
    wire,
    searched: {
      name: wire.name,
      tags: wire.tags,
      author: wire.author,
      description: wire.description,
      other_names: otherNames(wire.name, [...all.map((member) => member.name), ...titles]),
      contents: texts,
      places: all.map(({ provider_id, external_id }) => ({ provider: provider_id, external_id })),
    },
    used: all.map(({ provider_id, downloads, stars }) => ({ provider: provider_id, downloads, stars })),
    tools,
  };
}

const NO_CONTENTS: Contents = { tools: [], titles: [], texts: [] };

/** Names that differ from the merged name in more than case and punctuation. */
function otherNames(name: string, names: readonly string[]): string[] {
  const keyOf = (name: string) => tokenize(ownName(name)).join(' ');
  const others = new Map(names.map((other) => [keyOf(other), other]));
  others.delete(keyOf(name));
  return [...others.values()];
}

function wireOf(id: string, members: readonly Member[], facts: MarketplaceFacts): Listing {
  const { score, standing, featured, publisher, has_model } = facts;
  const { repository: _, homepage: __, provenance: ___, ...merged } = mergeMembers(members);
  const own = ownOf(members);
  const verification = verificationOf(members, facts);
  const isFlagged = standing.flags.length > 0 || isHeldAgainst(verification);
  return {
    id,
    ...merged,
    ...own?.shown,
    sources: (merged.sources as Listing['sources']).map((source) =>
      source.external_id === own?.source.external_id ? own.source : source,
    ),
    publisher: publisher === null ? (own?.publisher ?? null) : publisherRef(publisher),
    verification: { ...verification, verified: verification.verified && !isFlagged },
    availability: availabilityOf(relatedMembers(members), { ...merged, level: verification.level, has_model }),
    hot_score: score === null ? null : score.hot_score,
    featured: featured !== null && !isFlagged,
    flagged: isFlagged,
    created_at: own === null ? merged.created_at : own.created_at,
    updated_at: own !== null && own.updated_at > merged.updated_at ? own.updated_at : merged.updated_at,
  };
}

const publisherRef = ({ id, name, by }: CapabilityPublisher) => ({ id, name, by });

/** From the related members. Levels that expire are removed where they are stored: by probes, and by an hourly job for runs. */
function verificationOf(members: readonly Member[], { score, overrules }: MarketplaceFacts): Listing['verification'] {
  const examined = relatedMembers(members).map((member) => {
    const seen = examine(member);
    return withOverrule(seen, overrules.get(overruleKey(member.id, seen.pin)));
  });
  const runs =
    score === null || score.level === LEVELS[0]
      ? null
      : { level: score.level as Level, since: score.reached_at, expires_at: score.expires_at };
  return judge(examined, runs, '');
}

/** The fields that only a listing published here has. They take precedence over those of providers. */
function ownOf(members: readonly Member[]) {
  const published = members.find((member) => member.published !== null)?.published;
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
    publisher: listing.publisher,
    created_at: listing.created_at,
    updated_at: listing.updated_at,
  };
}

import type { ItemDetail, ListingDetail, Operations, VersionDetail } from '../../sdk/src/index.ts';

/** Everything that a listing's page knows, whatever kind of listing it is, and what follows from it. All text is untrusted. */

export type Skill = Operations['skills']['get']['answer'];
export type Proof = Operations['proof']['get']['answer'];

export interface Known {
  /** The path of the page. */
  path: string;
  /** A provider's listing; of several, the one that is closest to running. */
  item: ItemDetail | null;
  /** The capability that combines the listings of all providers. */
  listing: ListingDetail | null;
  /** The shown version, if it was published here. */
  version: VersionDetail | null;
  /** A skill that comes with the service. */
  skill: Skill | null;
  proof: Proof | null;
  /** Whether this service has a language model. */
  has_model: boolean;
  /** Whether this service probes listed servers. */
  has_probes: boolean;
}

/** The fields that every kind of listing has. */
export function baseOf({ item, listing, skill }: Known) {
  const from = listing ?? item;
  return {
    id: listing?.id ?? item?.external_id ?? skill?.name ?? '',
    name: item?.title || listing?.name || item?.name || skill?.name || '',
    description: listing?.description || item?.description || skill?.description || '',
    listing_type: from?.listing_type ?? 'skill',
    execution_class: skill?.execution_class ?? from?.execution_class ?? 'prompt',
    version: skill?.version || from?.version || '',
    license: skill?.license || item?.license || listing?.license || '',
    author: from?.author ?? '',
    repository: listing?.repository || item?.repository || '',
    homepage: listing?.homepage || item?.homepage || '',
    tags: from?.tags ?? [],
    downloads: listing?.downloads ?? (item?.reported.downloads ? item.downloads : 0),
    stars: listing?.stars ?? (item?.reported.stars ? item.stars : 0),
    verification: listing?.verification ?? item?.verification ?? null,
  };
}

/** The last part of a name that is an address, such as `io.github.owner/name`. A part that many have keeps its owner. */
export function shortName(name: string): string {
  const last = ADDRESS.exec(name.trim())?.[1];
  if (last === undefined) return name;
  return GENERIC.test(last) ? name.trim().replace(/^(?:io|com)\.github\./, '') : last;
}

const GENERIC = /^(?:mcp|server|api|main|mcp-?server|server-?mcp)$/i;

/** A name of the form `owner/name` or `io.github.owner/name` is an address: its last part is what people call it. */
const ADDRESS = /^[^\s/]+\/(?:[^\s/]+\/)*([^\s/]+)$/;

/** The name for people, and below it the technical name if that is another. */
export function titleOf(known: Known): { title: string; technical: string } {
  const { name, id } = baseOf(known);
  const shown = name.trim() || known.item?.external_id || id;
  const title = shortName(shown);
  const technical = [shown, known.item?.name ?? '', known.item?.external_id ?? ''].find(
    (other) => other !== '' && other.toLowerCase() !== title.toLowerCase(),
  );
  return { title, technical: technical ?? '' };
}

interface Publisher {
  name: string;
  href: string | null;
  /** How it is known that the listing is theirs; null if it is only what the listing says. */
  confirmed: string | null;
}

const CONFIRMED: Record<string, string> = {
  published: 'Published here from their own account.',
  repository_file: 'They put our file into the repository.',
  wallet: 'They signed with the wallet that the repository names.',
};

export function publisherOf(known: Known): Publisher | null {
  const { listing, skill } = known;
  if (skill !== null) return { name: 'Capstan', href: null, confirmed: 'Part of this service.' };
  if (listing?.publisher != null) {
    const { id, name, by } = listing.publisher;
    return {
      name: name || 'a closed account',
      href: `/publishers/${encodeURIComponent(id)}`,
      confirmed: CONFIRMED[by] ?? null,
    };
  }
  const { author } = baseOf(known);
  return author === '' ? null : { name: author.replace(/^io\.github\./, ''), href: null, confirmed: null };
}

/** The id of a capability that was published here; null for all others. */
export const ownIdOf = ({ listing, skill }: Known): string | null =>
  listing === null || skill !== null
    ? null
    : (listing.members?.find(({ provider }) => provider === 'capstan')?.external_id ??
      (listing.versions === undefined ? null : listing.id));

/** What a task or a run form calls it; null if nothing here can be run. */
export function refOf(known: Known): string | null {
  const { item, listing, skill } = known;
  if (skill !== null) return `skill/${skill.name}`;
  const own = ownIdOf(known);
  if (own !== null && listing?.run !== undefined) return listing.status === 'yanked' ? null : `capability/${own}`;
  if (item === null || (item.listing_type !== 'server' && item.listing_type !== 'skill')) return null;
  return item.runnable.reason === 'unsupported' ? null : `listing/${item.provider_id}/${item.external_id}`;
}

/** Hosts that a server is known to need, or that a skill declares. */
export function hostsOf({ item }: Known): string[] {
  if (item === null) return [];
  const wanted = item.runnable.package?.wanted_hosts ?? [];
  return [...new Set([...item.servers.flatMap(({ hosts }) => hosts), ...wanted, ...(item.needs?.hosts ?? [])])];
}

export type ServerInput = ItemDetail['servers'][number]['inputs'][number];

/** The values of all its addresses and packages, each name once, required ones first. */
export function inputsOf({ item }: Known): ServerInput[] {
  const all = item?.servers.flatMap(({ inputs }) => inputs) ?? [];
  const once = [...new Map(all.map((input): [string, ServerInput] => [input.name, input])).values()];
  return once.toSorted((a, b) => Number(b.required) - Number(a.required));
}

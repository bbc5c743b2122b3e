import { factsIn, type ListedStatus } from '#catalog/items/facts.ts';
import { itemPath } from '#catalog/items/item-path.ts';
import { extrasOf } from '#catalog/items/listing-row.ts';
import type { TakenDown } from '#catalog/items/taken-down.ts';
import { isHeldAgainst, type ReadVerification, type Verification } from '#catalog/items/verification.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import { oneLine, shortened } from '#surfaces/interop/shown-text.ts';
import { converted, takenOver } from './packages.ts';
import type { ServerNames } from './server-names.ts';
import { OFFICIAL, type ServerResponse } from './shapes.ts';

/** A listing in the format of the MCP registry. */

export interface Entries {
  names: ServerNames;
  base_url: string;
  reverse_domain: string;
  verification: ReadVerification;
}

/** Used if the provider reports no version. */
export const NO_VERSION = '0.0.0';

/** In the order of the rows. */
export async function serverEntries(rows: readonly ListingRow[], entries: Entries): Promise<ServerResponse[]> {
  const verified = await entries.verification(rows);
  return rows.map((row, at) =>
    row.taken_down === null
      ? serverEntry(row, entries, verified[at] as Verification)
      : tombstoneEntry(row, entries, JSON.parse(row.taken_down)),
  );
}

/** For mirrors, so that they can do the same: without installation data and text of the author. */
const tombstoneEntry = (row: ListingRow, { names, ...at }: Entries, { kind }: TakenDown): ServerResponse => ({
  server: { name: names.nameOf(row), description: `Taken down (${kind}).`, version: row.version || NO_VERSION },
  _meta: {
    [OFFICIAL]: officialOf(row),
    [`${at.reverse_domain}/custom`]: { ...placeOf(row, at.base_url), taken_down: kind },
  },
});

const officialOf = (row: ListingRow, reported?: ListedStatus) => ({
  status: statusOf(row),
  // The provider's reason belongs to the status that it reported, which may not be the one here.
  ...(reported?.status === statusOf(row)
    ? defined({ statusMessage: reported.message, statusChangedAt: reported.changed_at })
    : {}),
  publishedAt: row.first_seen_at,
  updatedAt: row.changed_at,
  isLatest: true,
});

export const placeOf = ({ provider_id, external_id }: ListingRow, baseUrl: string) => ({
  provider_id,
  external_id,
  url: baseUrl + itemPath(provider_id, external_id),
});

function serverEntry(
  row: ListingRow,
  { names, base_url, reverse_domain }: Entries,
  verification: Verification,
): ServerResponse {
  const { install, manifest, repository, license } = extrasOf(row);
  const isOfficial = row.provider_id === 'mcp-registry';
  const { packages, remotes } = isOfficial ? takenOver(manifest) : converted(install);
  const facts = factsIn(row.facts);
  const name = names.nameOf(row);
  const title = shortened(row.name, 100);
  // The homepage of a listing may be the address of its repository.
  const website = isOfficial && manifest !== null ? manifest.websiteUrl : row.homepage;
  return {
    server: {
      ...defined({ $schema: facts.schema }),
      name,
      ...defined({ title: title === '' || title === name ? undefined : title }),
      description: shortened(row.description, 100) || title || 'No description.',
      version: row.version || NO_VERSION,
      ...defined({
        websiteUrl: typeof website === 'string' && isUrl(website) ? website : undefined,
        repository: isUrl(repository)
          ? { url: repository, source: sourceOf(repository), ...oneLined(facts.repository ?? {}) }
          : undefined,
        icons: facts.icons,
        packages: packages.length === 0 ? undefined : packages,
        remotes: remotes.length === 0 ? undefined : remotes,
        _meta: facts.meta,
      }),
    },
    _meta: {
      [OFFICIAL]: officialOf(row, facts.status),
      [`${reverse_domain}/custom`]: {
        ...placeOf(row, base_url),
        published_at: facts.published_at ?? null,
        author: oneLine(row.author),
        license: oneLine(license),
        tags: (JSON.parse(row.tags) as string[]).map(oneLine),
        downloads: row.downloads,
        stars: row.stars,
        version_reported: row.version !== '',
        external_updated_at: row.external_updated_at,
        verification: shownVerification(verification),
        flagged: isHeldAgainst(verification),
      },
    },
  };
}

/** One line per text, as strict clients require. */
const shownVerification = ({ findings, upstream, ...rest }: Verification) => ({
  ...rest,
  findings: findings.map((found) => ({ ...found, place: oneLine(found.place) })),
  upstream: upstream.map((said) => ({ ...said, detail: oneLine(said.detail) })),
});

const oneLined = <T extends Record<string, string>>(texts: T): T =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, oneLine(text)])) as T;

function statusOf({ removed_at, tags }: ListingRow): 'active' | 'deprecated' | 'deleted' {
  if (removed_at !== null) return 'deleted';
  return (JSON.parse(tags) as string[]).includes('deprecated') ? 'deprecated' : 'active';
}

/** As strict clients require: no characters that need escaping. */
const isUrl = (text: string): boolean =>
  /^https?:\/\/[\x21-\x7e]+$/.test(text) && !/["<>\\^`{|}]/.test(text) && URL.canParse(text);

const HOSTS: Record<string, string> = { 'github.com': 'github', 'gitlab.com': 'gitlab', 'bitbucket.org': 'bitbucket' };

function sourceOf(repository: string): string {
  const host = new URL(repository).hostname.replace(/^www\./, '');
  return HOSTS[host] ?? host;
}

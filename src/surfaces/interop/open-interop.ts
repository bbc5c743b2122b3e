import type { Kysely } from 'kysely';
import type { ReadEarlier } from '#catalog/details/earlier-versions.ts';
import type { FlaggedListings } from '#catalog/items/flagged.ts';
import type { ReadVerification } from '#catalog/items/verification.ts';
import type { ListingSearch } from '#catalog/search/listing-search.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { OperationBase, Routes } from '#core/http/operation.ts';
import type { PublishedSkills } from '#marketplace/publishing/published-skills.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { agentSkillsContract } from '#surfaces/agent-skills/contract.ts';
import { getSkillArchive } from '#surfaces/agent-skills/get-archive.ts';
import { getAgentSkillFile } from '#surfaces/agent-skills/get-file.ts';
import { getSkillsIndex } from '#surfaces/agent-skills/get-index.ts';
import { getOldSkillsIndex } from '#surfaces/agent-skills/get-old-index.ts';
import { getOneSkillIndex } from '#surfaces/agent-skills/get-one-index.ts';
import { packedSkills } from '#surfaces/agent-skills/packed-skills.ts';
import { searchSkills } from '#surfaces/agent-skills/search.ts';
import type { documentsContract } from '#surfaces/documents/contract.ts';
import { getAiCatalog } from '#surfaces/documents/get-ai-catalog.ts';
import { getApiCatalog } from '#surfaces/documents/get-api-catalog.ts';
import { getBadge } from '#surfaces/documents/get-badge.ts';
import { getFeed } from '#surfaces/documents/get-feed.ts';
import { getOpenSearch } from '#surfaces/documents/get-open-search.ts';
import { getPluginMarketplace } from '#surfaces/documents/get-plugin-marketplace.ts';
import { getRobots } from '#surfaces/documents/get-robots.ts';
import { getSecurityTxt } from '#surfaces/documents/get-security-txt.ts';
import { getServerCard } from '#surfaces/documents/get-server-card.ts';
import { getSitemap } from '#surfaces/documents/get-sitemap.ts';
import { getSitemapPart } from '#surfaces/documents/get-sitemap-part.ts';
import type { serversContract } from '#surfaces/servers/contract.ts';
import { getServerVersion } from '#surfaces/servers/get-version.ts';
import { listServers } from '#surfaces/servers/list.ts';
import { listServerVersions } from '#surfaces/servers/list-versions.ts';
import { reverseDomain, serverNames } from '#surfaces/servers/server-names.ts';

interface InteropDeps {
  db: Kysely<Schema>;
  catalog: Catalog;
  search: ListingSearch;
  clock: Clock;
  skills: SkillStore;
  published: PublishedSkills;
  verification: ReadVerification;
  earlier: ReadEarlier;
  flagged: FlaggedListings;
  /** The public URL without a trailing slash. */
  base_url: string;
  operations: readonly OperationBase[];
  security_contact: string | null;
}

interface InteropRoutes {
  servers: Routes<typeof serversContract>;
  agentSkills: Routes<typeof agentSkillsContract>;
  documents: Routes<typeof documentsContract>;
}

export function openInterop({ skills: skill_store, ...given }: InteropDeps): InteropRoutes {
  const { base_url } = given;
  const reverse_domain = reverseDomain(base_url);
  const deps = { ...given, skill_store, reverse_domain, names: serverNames(reverse_domain) };
  const packed = packedSkills(skill_store, given.published, given.flagged);
  return {
    servers: {
      list: listServers(deps),
      listVersions: listServerVersions(deps),
      getVersion: getServerVersion(deps),
    },
    agentSkills: {
      getIndex: getSkillsIndex(packed),
      getOneIndex: getOneSkillIndex(packed),
      getOldIndex: getOldSkillsIndex(packed),
      getArchive: getSkillArchive(packed),
      getFile: getAgentSkillFile(packed),
      search: searchSkills(deps),
    },
    documents: {
      getServerCard: getServerCard(deps),
      getAiCatalog: getAiCatalog(deps, skill_store),
      getApiCatalog: getApiCatalog(deps),
      getPluginMarketplace: getPluginMarketplace(deps),
      getSitemap: getSitemap(deps),
      getSitemapPart: getSitemapPart(deps),
      getRobots: getRobots(base_url),
      getSecurityTxt: getSecurityTxt(deps),
      getOpenSearch: getOpenSearch(base_url),
      getFeed: getFeed(deps),
      getBadge: getBadge(deps),
    },
  };
}

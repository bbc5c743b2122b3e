import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { OperationBase, Routes } from '../../platform/http/operation.ts';
import type { PublishedSkills } from '../marketplace/published-skills.ts';
import type { Catalog } from '../registry/catalog/catalog.ts';
import type { FlaggedListings } from '../registry/flagged.ts';
import type { ReadVerification } from '../registry/verification.ts';
import type { SkillShelf } from '../skills/load-skills.ts';
import type { interopContract } from './contract.ts';
import { getAgentSkillFile } from './get-agent-skill-file.ts';
import { getAiCatalog } from './get-ai-catalog.ts';
import { getApiCatalog } from './get-api-catalog.ts';
import { getBadge } from './get-badge.ts';
import { getFeed } from './get-feed.ts';
import { getOldSkillsIndex } from './get-old-skills-index.ts';
import { getOneSkillIndex } from './get-one-skill-index.ts';
import { getOpenSearch } from './get-open-search.ts';
import { getPluginMarketplace } from './get-plugin-marketplace.ts';
import { getRobots } from './get-robots.ts';
import { getServerCard } from './get-server-card.ts';
import { getServerVersion } from './get-server-version.ts';
import { getSitemap } from './get-sitemap.ts';
import { getSitemapPart } from './get-sitemap-part.ts';
import { getSkillArchive } from './get-skill-archive.ts';
import { getSkillsIndex } from './get-skills-index.ts';
import { listServerVersions } from './list-server-versions.ts';
import { listServers } from './list-servers.ts';
import { searchSkills } from './search-skills.ts';
import { reverseDomain, serverNames } from './servers/server-names.ts';
import { packedSkills } from './skills/packed-skills.ts';

export interface InteropDeps {
  db: Kysely<Schema>;
  catalog: Catalog;
  clock: Clock;
  skills: SkillShelf;
  published: PublishedSkills;
  verification: ReadVerification;
  flagged: FlaggedListings;
  /** Where others reach the service, without a slash at the end. */
  base_url: string;
  operations: readonly OperationBase[];
}

export const interopRoutes = ({ skills: shelf, ...given }: InteropDeps): Routes<typeof interopContract> => {
  const { base_url } = given;
  const reverse_domain = reverseDomain(base_url);
  const deps = { ...given, shelf, reverse_domain, names: serverNames(reverse_domain) };
  const packed = packedSkills(shelf, given.published, given.flagged);
  return {
    listServers: listServers(deps),
    listServerVersions: listServerVersions(deps),
    getServerVersion: getServerVersion(deps),
    getSkillsIndex: getSkillsIndex(packed),
    getOneSkillIndex: getOneSkillIndex(packed),
    getOldSkillsIndex: getOldSkillsIndex(packed),
    getSkillArchive: getSkillArchive(packed),
    getAgentSkillFile: getAgentSkillFile(packed),
    searchSkills: searchSkills(deps),
    getServerCard: getServerCard(deps),
    getAiCatalog: getAiCatalog(deps, shelf),
    getApiCatalog: getApiCatalog(deps),
    getPluginMarketplace: getPluginMarketplace(deps),
    getSitemap: getSitemap(deps),
    getSitemapPart: getSitemapPart(deps),
    getRobots: getRobots(base_url),
    getOpenSearch: getOpenSearch(base_url),
    getFeed: getFeed(deps),
    getBadge: getBadge(deps),
  };
};

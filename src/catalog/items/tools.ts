import type { ResourceTemplate } from '#core/tools/resource.ts';
import type { Tool } from '#core/tools/tool.ts';
import { type ListingResourceDeps, listingResource } from './listing-resource.ts';
import { type RegistryGetListingDeps, registryGetListing } from './tools/registry-get-listing.ts';
import { type RegistrySearchDeps, registrySearch } from './tools/registry-search.ts';

/** MCP tools and resources of the registry. */

interface RegistryToolsDeps extends RegistrySearchDeps, RegistryGetListingDeps, ListingResourceDeps {}

export const registryTools = (deps: RegistryToolsDeps): Tool[] => [registrySearch(deps), registryGetListing(deps)];

export const registryResources = (deps: RegistryToolsDeps): ResourceTemplate[] => [listingResource(deps)];

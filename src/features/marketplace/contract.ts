import { listingsContract } from './contract-listings.ts';
import { publishingContract } from './contract-publishing.ts';
import { searchContract } from './contract-search.ts';

/** The marketplace feature as data. */
export const marketplaceContract = { ...listingsContract, ...searchContract, ...publishingContract };

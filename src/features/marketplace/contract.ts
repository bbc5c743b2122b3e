import { listingsContract } from './contract-listings.ts';
import { publishingContract } from './contract-publishing.ts';

/** The marketplace feature as data. */
export const marketplaceContract = { ...listingsContract, ...publishingContract };

import { itemsContract } from './items/contract.ts';
import { syncContract } from './sync/contract.ts';

/** The operations of this wing by resource, as data. */
export const catalogWing = {
  items: itemsContract,
  sync: syncContract,
} as const;

import type { Routes } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { collectionsContract } from './contract.ts';
import { getCollection } from './get.ts';
import { listCollections } from './list.ts';
import { removeCollection } from './remove.ts';
import { saveOperatorCollection } from './save.ts';

export const collectionsRoutes = (deps: MarketplaceDeps): Routes<typeof collectionsContract> => ({
  list: listCollections(deps),
  get: getCollection(deps),
  save: saveOperatorCollection(deps),
  remove: removeCollection(deps),
});

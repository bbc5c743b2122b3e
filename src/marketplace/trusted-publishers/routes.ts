import type { Routes } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { trustedPublishersContract } from './contract.ts';
import { createTrustedPublisher } from './create.ts';
import { deleteTrustedPublisher } from './delete.ts';
import { exchangeToken } from './exchange.ts';
import { listTrustedPublishers } from './list.ts';
import { listIssuers } from './list-issuers.ts';
import { publishFromCi } from './publish.ts';

export const trustedPublishersRoutes = (deps: MarketplaceDeps): Routes<typeof trustedPublishersContract> => ({
  list: listTrustedPublishers(deps),
  create: createTrustedPublisher(deps),
  delete: deleteTrustedPublisher(deps),
  listIssuers: listIssuers(deps),
  exchange: exchangeToken(deps),
  publish: publishFromCi(deps),
});

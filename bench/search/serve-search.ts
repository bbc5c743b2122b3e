import { marketplaceContract } from '../../src/features/marketplace/contract.ts';
import { searchMarketplace } from '../../src/features/marketplace/search-marketplace.ts';
import type { Handler } from '../../src/platform/http/operation.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { report } from '../catalog/serve.ts';
import { buildView } from './build-view.ts';
import { documentsAt } from './documents-at.ts';

/** The search behind the program's own HTTP server, with metrics and logging as in service. */
const view = buildView(documentsAt(Number(process.argv[2])));
const index = { view: () => view, isNewest: () => true, refresh: async () => {}, close: async () => {} };
const { fastify } = createServer({
  operations: [
    {
      operation: marketplaceContract.searchMarketplace,
      handler: searchMarketplace({ index, leftToLink: () => 0 }) as unknown as Handler,
    },
  ],
  log: createLog('warn'),
  onAnswer: createMetrics().answered,
});
await fastify.listen({ host: '127.0.0.1', port: 0 });
report(fastify.server.address());

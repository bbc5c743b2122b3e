import { systemClock } from '#core/clock/clock.ts';
import type { Handler } from '#core/http/operation.ts';
import { createServer } from '#core/http/server.ts';
import { createLog } from '#core/log.ts';
import { createMetrics } from '#core/metrics/metrics.ts';
import { listingsContract } from '#marketplace/listings/contract.ts';
import { searchMarketplace } from '#marketplace/listings/search.ts';
import { report } from '../catalog/serve.ts';
import { buildView } from './build-view.ts';
import { documentsAt } from './documents-at.ts';

/** The search behind the program's own HTTP server, with metrics and logging as in service. */
const view = buildView(documentsAt(Number(process.argv[2])));
const index = {
  view: () => view,
  isReady: true,
  aid: () => null,
  aidTools: () => null,
  newest: () => view,
  isNewest: () => true,
  refresh: async () => {},
  close: async () => {},
};
const { fastify } = createServer({
  operations: [
    {
      operation: listingsContract.search,
      handler: searchMarketplace({ index, clock: systemClock, countUnlinked: () => 0 }) as unknown as Handler,
    },
  ],
  log: createLog('warn'),
  onAnswer: createMetrics().answered,
});
await fastify.listen({ host: '127.0.0.1', port: 0 });
report(fastify.server.address());

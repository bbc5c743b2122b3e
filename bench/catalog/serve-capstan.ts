import { itemsContract } from '#catalog/items/contract.ts';
import { listItems } from '#catalog/items/list.ts';
import { openCatalog } from '#catalog/search/registry-index.ts';
import { readConfig } from '#core/config/config.ts';
import type { Handler } from '#core/http/operation.ts';
import { createServer } from '#core/http/server.ts';
import { createLog } from '#core/log.ts';
import { createMetrics } from '#core/metrics/metrics.ts';
import { openTelemetry } from '#core/telemetry/open-telemetry.ts';
import { TELEMETRY_SETTINGS } from '#core/telemetry/settings.ts';
import { report } from './serve.ts';

/** Ours: the list behind the program's own HTTP server, with metrics and logging as in service; traced where a collector is. */
const [path = '', collector = '', share = '1'] = process.argv.slice(2);
const log = createLog('warn');
const database = { engine: 'sqlite', path, thread: 'own' } as const;
/** Nothing changes while it is measured. */
const changes = { subscribe: () => () => {}, close: async () => {} };
const catalog = openCatalog({ database, identity: 'bench', data_dir: null, log, changes });
await catalog.ready;
const { total_count, bytes } = catalog.stats();
console.log(`index and JSON: ${(bytes / total_count).toFixed(0)} bytes a listing at ${total_count} listings`);
const { answered, load, registry } = createMetrics();
const { spans } = await openTelemetry({
  log,
  registry,
  metrics: null,
  config: readConfig(TELEMETRY_SETTINGS, {
    CAPSTAN_OTLP_URL: collector,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: share,
  }),
});
// Nothing here is asked for by relevance.
const search = { views: () => Promise.reject(new Error('There is no index of capabilities.')) };
const { fastify } = createServer({
  operations: [{ operation: itemsContract.list, handler: listItems({ catalog, search }) as Handler }],
  log,
  load,
  spans,
  onAnswer: answered,
});
await fastify.listen({ host: '127.0.0.1', port: 0 });
report(fastify.server.address());

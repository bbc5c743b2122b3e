import { Worker } from 'node:worker_threads';
import { checkPage, parseJson, shapeProblem } from '#catalog/sync/read-page.ts';
import { Catalog } from './wire.ts';

interface ParseLimits {
  timeout_ms: number;
  memory_mb: number;
}
const LIMITS: ParseLimits = { timeout_ms: 30_000, memory_mb: 512 };

/** catalog.yaml or catalog.json as entries by name. What is not that, or takes too much, is `registry.provider_shape`. */
export const parseCatalog = async (text: string, limits = LIMITS): Promise<[name: string, entry: unknown][]> => {
  const document = text.trimStart().startsWith('{') ? parseJson('docker', text) : await parseApart(text, limits);
  return Object.entries(checkPage('docker', Catalog, document).registry);
};

// The true catalogue is half a second of parsing, a hostile one much more: it must not stand in the way of requests.
const parseApart = async (text: string, { timeout_ms, memory_mb }: ParseLimits): Promise<unknown> => {
  const worker = new Worker(new URL('./yaml-worker.ts', import.meta.url), {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: memory_mb },
  });
  const timer = setTimeout(() => worker.terminate(), timeout_ms);
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('messageerror', reject);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error(`ended without an answer within ${timeout_ms} ms`)));
    });
  } catch (cause) {
    throw shapeProblem('docker', 'is not YAML that can be read safely', cause);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
};

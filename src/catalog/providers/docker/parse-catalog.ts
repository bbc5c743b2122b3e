import { Worker } from 'node:worker_threads';
import { checkPage, parseJson, shapeProblem } from '#catalog/sync/read-page.ts';
import { Catalog } from './wire.ts';

interface ParseLimits {
  timeout_ms: number;
  memory_mb: number;
}
const LIMITS: ParseLimits = { timeout_ms: 30_000, memory_mb: 512 };

/** Parses catalog.yaml or catalog.json into entries. Throws `registry.provider_failed` (`format`) if it is invalid or too expensive. */
export async function parseCatalog(text: string, limits = LIMITS): Promise<[name: string, entry: unknown][]> {
  const document = text.trimStart().startsWith('{') ? parseJson('docker', text) : await parseInThread(text, limits);
  return Object.entries(checkPage('docker', Catalog, document).registry);
}

// Parsing the real catalog takes half a second, a hostile one much longer, so it must not block the event loop.
async function parseInThread(text: string, { timeout_ms, memory_mb }: ParseLimits): Promise<unknown> {
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
      worker.once('exit', () => reject(new Error(`thread exited without a result within ${timeout_ms} ms`)));
    });
  } catch (cause) {
    throw shapeProblem('docker', 'is not YAML that can be parsed safely', cause);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

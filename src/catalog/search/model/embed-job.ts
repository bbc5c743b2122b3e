import type { Kysely } from 'kysely';
import type { Registry } from 'prom-client';
import type { Clock } from '#core/clock/clock.ts';
import type { Connection } from '#core/db/connection.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import type { DocumentSource } from '../build/document-source.ts';
import type { EmbedDeps } from './embed-documents.ts';
import { searchMeter } from './meter.ts';
import { type SearchModelConfig, spaceOf } from './space.ts';

/** The job that gets vectors of what is listed. One process at a time runs it, whichever has time. */

const EMBED = 'search.embed';
const EVERY_MS = 5_000;
const FIRST_IN_MS = 10_000;
const RETRY_MS = 10_000;

interface EmbedJobDeps {
  db: Kysely<Schema>;
  connection: Pick<Connection, 'query'>;
  clock: Clock;
  config: SearchModelConfig;
  registry: Registry;
  /** Loaded with the first run. */
  loadSource(): Promise<DocumentSource>;
}

export function embedKind({ loadSource, registry, ...deps }: EmbedJobDeps): Record<string, JobKind> {
  const space = spaceOf(deps.config);
  let isFirst = true;
  return {
    [EMBED]: {
      concurrency: 1,
      retry_ms: RETRY_MS,
      handler: async (run) => {
        const { embedDocuments, forgetVectors } = await import('./embed-documents.ts');
        const { url } = deps.config.embeddings;
        if (space === null || url === null) {
          await forgetVectors(deps.db, run);
          return null;
        }
        const { openEmbeddings } = await import('#core/llm/embeddings.ts');
        const { openOperatorFetch } = await import('#core/outbound/operator-fetch.ts');
        const { retryAfterMs } = await import('./ask-in-time.ts');
        const operator = openOperatorFetch();
        const config = deps.config.embeddings;
        const embeddings = openEmbeddings({ ...config, url }, operator);
        const all: EmbedDeps = { ...deps, config, embeddings, source: await loadSource(), note: searchMeter(registry) };
        try {
          await embedDocuments(all, space, run, isFirst);
          isFirst = false;
          return { again_at_ms: deps.clock.now() + EVERY_MS };
        } catch (error) {
          // The model's server says when to come back, which is no failure.
          const waitMs = retryAfterMs(error);
          if (waitMs === null) throw error;
          return { again_at_ms: deps.clock.now() + waitMs };
        } finally {
          await operator.close();
        }
      },
    },
  };
}

/** Delayed, because the first seconds of a process belong to requests. */
export const scheduleEmbed = (jobs: Pick<JobTable, 'put'>, clock: Clock): Promise<void> =>
  jobs.put({ kind: EMBED, key: 'all', run_at_ms: clock.now() + FIRST_IN_MS });

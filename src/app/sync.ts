import { join } from 'node:path';
import { ALL_PROVIDERS } from '#catalog/providers/all.ts';
import { createSyncEngine, type SyncEngine, type SyncEngineDeps } from '#catalog/sync/engine.ts';
import { providersOf } from '#catalog/sync/sync-plan.ts';
import { openBlobStore } from '#core/blobs/blob-store.ts';
import { SERVICE } from '#core/service.ts';
import { skillFilesAt } from '#runtime/bundles/skill-files.ts';
import { baseUrl } from './addresses.ts';
import type { Config } from './settings.ts';

/** Below DATA_DIR: READMEs and other texts of listings. */
const DETAILS_DIR = 'details';

/** Access to providers: their lists and the details of single listings. */
export const openSync = ({
  config,
  data_dir,
  ...given
}: Pick<SyncEngineDeps, 'db' | 'jobs' | 'clock' | 'log' | 'fetch'> & {
  config: Config;
  data_dir: string;
}): SyncEngine =>
  createSyncEngine({
    ...given,
    blobs: openBlobStore(join(data_dir, DETAILS_DIR)),
    config: { ...providersOf(config.registry), public_url: baseUrl(config), version: SERVICE.version },
    providers: ALL_PROVIDERS,
    skillFiles: skillFilesAt({ fetch: given.fetch, github_url: config.execution.github_url }),
  });

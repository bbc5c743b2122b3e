import { ALL_PROVIDERS } from '#catalog/providers/all.ts';
import { createSyncEngine, type SyncEngine, type SyncEngineDeps } from '#catalog/sync/engine.ts';
import { providersOf } from '#catalog/sync/sync-plan.ts';
import { SERVICE } from '#core/service.ts';
import { skillFilesAt } from '#runtime/bundles/skill-files.ts';
import { listedNeeds } from '#runtime/native/listed-needs.ts';
import { baseUrl } from './addresses.ts';
import type { Config } from './settings.ts';

/** Access to providers: their lists and the details of single listings. */
export const openSync = ({
  config,
  ...given
}: Pick<SyncEngineDeps, 'db' | 'jobs' | 'clock' | 'log' | 'fetch' | 'blobs'> & { config: Config }): SyncEngine =>
  createSyncEngine({
    ...given,
    config: { ...providersOf(config.registry), public_url: baseUrl(config), version: SERVICE.version },
    providers: ALL_PROVIDERS,
    needsOf: listedNeeds,
    skillFiles: skillFilesAt({ fetch: given.fetch, github_url: config.execution.github_url }),
  });

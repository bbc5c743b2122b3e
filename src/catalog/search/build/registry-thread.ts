import { workerData } from 'node:worker_threads';
import type { RegistryState } from '../index/delta.ts';
import { type BuildData, followForever } from './build-loop.ts';
import { registryStateOf } from './live-index.ts';
import { type FollowedRegistry, followRegistry, loadRegistry, type SnapshotPlace } from './registry-feed.ts';

/** Entry of the thread that builds the registry's index. */

export interface RegistryBuildData extends BuildData, SnapshotPlace {}

const { identity, data_dir } = workerData as RegistryBuildData;
const place = { identity, data_dir };

await followForever<FollowedRegistry, RegistryState>({
  start: (connection) => loadRegistry(connection, place),
  follow: (connection, before) => followRegistry(connection, before, place),
  stateOf: ({ index, seq }) => registryStateOf(index, `${identity}-${seq}`),
  changeOf: ({ seq }) => seq,
});

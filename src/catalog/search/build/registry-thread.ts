import { workerData } from 'node:worker_threads';
import type { RegistryState } from '../index/delta.ts';
import { type FollowOptions, followForever } from './build-loop.ts';
import { registryStateOf } from './live-index.ts';
import { type Following, follow, startFollowing } from './registry-feed.ts';

/** Entry of the thread that builds the catalogue's index. */

export interface WorkerOptions extends FollowOptions {
  /** Sequence numbers mean something only in the database of this identity. */
  identity: string;
  data_dir: string | null;
}

const { identity, data_dir } = workerData as WorkerOptions;

await followForever<Following, RegistryState>({
  start: (connection) => startFollowing(connection, identity, data_dir),
  follow: (connection, before) => follow(connection, before, data_dir),
  stateOf: ({ index, seq }) => registryStateOf(index, `${identity}-${seq}`),
  changeOf: ({ seq }) => seq,
});

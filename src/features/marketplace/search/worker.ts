import { workerData } from 'node:worker_threads';
import { type FollowOptions, followForever } from '../../registry/catalog/follow-forever.ts';
import { type FollowingIndex, followIndex, indexStateOf, loadIndex } from './live.ts';
import type { IndexState } from './view.ts';

/** Entry of the thread that builds the marketplace's index. */

export interface IndexWorkerOptions extends FollowOptions {
  identity: string;
}

const { identity } = workerData as IndexWorkerOptions;

await followForever<FollowingIndex, IndexState>({
  start: loadIndex,
  follow: followIndex,
  stateOf: (following) => indexStateOf(following, identity),
});

import { workerData } from 'node:worker_threads';
import { type FollowOptions, followForever } from '#catalog/index/follow-forever.ts';
import { hashOf } from '#core/text/text-cache.ts';
import type { CarriedSkill } from './carried-skills.ts';
import { type FollowingIndex, followIndex, indexStateOf, loadIndex } from './live.ts';
import type { IndexState } from './view.ts';

/** Entry of the thread that builds the marketplace's index. */

export interface IndexWorkerOptions extends FollowOptions {
  identity: string;
  carried: readonly CarriedSkill[];
}

const { identity, carried } = workerData as IndexWorkerOptions;
/** What is carried changes with a release, and no number tells of it. */
const version = `${identity}-${(hashOf(JSON.stringify(carried)) >>> 0).toString(36)}`;

await followForever<FollowingIndex, IndexState>({
  start: (connection, early) => loadIndex(connection, carried, early),
  follow: (connection, before) => followIndex(connection, before, carried),
  stateOf: (following) => indexStateOf(following, version),
  changeOf: ({ seq, published }) => seq + published,
});

import type { ListTasksRequest, ListTasksResponse } from '@a2a-js/sdk';
import { isoTime } from '#core/clock/clock.ts';
import type { Caller } from '#core/http/caller.ts';
import type { A2aDeps } from './deps.ts';
import type { Sdk } from './sdk.ts';
import { shownTask } from './shown-task.ts';
import { stateOf } from './states.ts';
import { listTurnTasks, type Place } from './turn-tasks.ts';
import { readRan } from './watch.ts';

const PAGE = 50;

/** The caller's tasks, newest first, page by page. */
export async function listTasks(
  { db, clock, sdk }: Pick<A2aDeps, 'db' | 'clock'> & { sdk: Sdk },
  { user_id }: Caller,
  {
    contextId,
    status,
    pageSize = PAGE,
    pageToken,
    historyLength,
    includeArtifacts,
    statusTimestampAfter,
  }: ListTasksRequest,
): Promise<ListTasksResponse> {
  const { forms } = sdk;
  const filter = {
    conversation_id: contextId === '' ? undefined : contextId,
    state: stateOf(forms.taskStateToJSON(status)),
    since: statusTimestampAfter === undefined ? undefined : isoTime(Date.parse(statusTimestampAfter)),
  };
  const after = pageToken === '' ? undefined : readToken(pageToken, sdk);
  // One more than the page size shows whether there is another page.
  const page = { after, limit: pageSize + 1, now: isoTime(clock.now()) };
  const { items, total_count } = await listTurnTasks(db, user_id, filter, page);
  const shown = items.slice(0, pageSize);
  const tasks = await Promise.all(
    shown.map(async (task) => {
      const ran = includeArtifacts === true ? await readRan({ db }, { user_id, id: task.id }, task) : undefined;
      const shape = { history_length: historyLength, artifacts: includeArtifacts === true };
      return forms.Task.fromJSON(shownTask(task, ran, shape));
    }),
  );
  const last = shown.at(-1);
  const nextPageToken = items.length > pageSize && last !== undefined ? tokenOf(last) : '';
  return { tasks, nextPageToken, pageSize, totalSize: total_count };
}

const tokenOf = ({ at, id }: Place): string => Buffer.from(`${at} ${id}`).toString('base64url');

function readToken(token: string, { errors }: Sdk): Place {
  const [, at, id] = /^(\S{24}) (\S{36})$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  if (at !== undefined && id !== undefined) return { at, id };
  throw new errors.RequestMalformedError('pageToken must be an unmodified nextPageToken.');
}

import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchTask } from './refusals.ts';
import { shownTask } from './task.ts';
import { findTask, listTasks as readTasks } from './tasks.ts';

export const listTasks =
  ({ db }: TasksDeps): Handler<typeof tasksContract.list> =>
  async ({ query, caller, raw_path }) => {
    const { status, same_as, limit, offset } = query;
    const like = same_as === undefined ? undefined : await findTask(db, { user_id: caller.user_id, id: same_as });
    if (same_as !== undefined && like === undefined) throw noSuchTask();
    const { items, total_count } = await readTasks(db, caller.user_id, { status, like, limit, offset });
    return jsonPage({ items: items.map(shownTask), total_count }, { limit, offset }, raw_path, { status, same_as });
  };

import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { shownTask } from './task.ts';
import { listTasks as readTasks } from './tasks.ts';

export const listTasks =
  ({ db }: TasksDeps): Handler<typeof tasksContract.list> =>
  async ({ query, caller, raw_path }) => {
    const { status, limit, offset } = query;
    const { items, total_count } = await readTasks(db, caller.user_id, { status, limit, offset });
    return jsonPage({ items: items.map(shownTask), total_count }, { limit, offset }, raw_path, { status });
  };

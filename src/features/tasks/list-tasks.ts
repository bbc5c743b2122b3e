import { type Handler, json } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import type { tasksContract } from './contract.ts';
import type { TasksDeps } from './deps.ts';
import { shownTask } from './task.ts';
import { listTasks as readTasks } from './tasks.ts';

export const listTasks =
  ({ db }: TasksDeps): Handler<typeof tasksContract.listTasks> =>
  async ({ query, caller, raw_path }) => {
    const { status, limit, offset } = query;
    const { items, total_count } = await readTasks(db, caller.user_id, query);
    const page = { total_count, limit, offset };
    const asked = `${status === undefined ? '' : `status=${status}&`}limit=${limit}`;
    return json({ items: items.map(shownTask), ...page }, { headers: pageLinks(raw_path, page, asked) });
  };

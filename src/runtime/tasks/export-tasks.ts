import type { Holding } from '#accounts/users/holding.ts';
import { shownTask } from './task.ts';
import { findTask, listTasks } from './tasks.ts';

const MOST_TASKS = 10_000;
/** Characters of input and output in total, because an export is one response. */
const MOST_CONTENT = 16 * 1024 * 1024;

/** Tasks are deleted with their owner. The export contains the newest ones with input and output; get files task by task. */
export const tasksHolding: Holding = {
  name: 'tasks',
  read: async (db, { user_id }) => {
    const { items } = await listTasks(db, user_id, { limit: MOST_TASKS, offset: 0 });
    const shown: unknown[] = [];
    let left = MOST_CONTENT;
    for (const task of items) {
      const whole = left > 0 ? await findTask(db, { user_id, id: task.id }) : undefined;
      left -= (whole?.input.length ?? 0) + (whole?.output?.length ?? 0);
      const content = { input: JSON.parse(whole?.input ?? 'null'), output: JSON.parse(whole?.output ?? 'null') };
      shown.push({ ...shownTask(task), ...(whole !== undefined && content) });
    }
    return shown;
  },
};

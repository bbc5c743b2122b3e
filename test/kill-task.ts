import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from './databases.ts';
import { type TasksStand, tasksStand } from './tasks-stand.ts';
import { until } from './until.ts';

const TASKS = 12;
const FINAL = ['completed', 'failed', 'cancelled', 'rejected'];

/**
 * Kills a process that works on tasks with SIGKILL, at a moment of chance in their lives, again and again. Every task
 * ends, once, with one receipt; what has no effect outside completes, what has one is never begun twice. Answers the
 * longest time from a kill to the next beginning of a task that was cut off, in ms.
 */
export async function killTask(database: TestDatabase, loops: number, lease_ms: number, random = Math.random) {
  const secret = randomBytes(32).toString('hex');
  await using stand = await tasksStand(database, { secret, idle: true, at_work_per_user: 6 });
  const as = await stand.newUser();
  let longestMs = 0;
  for (let loop = 0; loop < loops; loop++) {
    const order = JSON.stringify({ database: database.config, secret, lease_ms });
    let child = await worker(order);
    const refs = Array.from({ length: TASKS }, (_, at) => (at % 3 === 2 ? 'effect_nap' : 'nap'));
    const ids = await Promise.all(refs.map((ref, at) => stand.start(as, ref, at)));
    await sleep(random() * 350);
    await kill(child);
    const killedAt = Date.now();
    const cut = await runningOf(database, ids);
    child = await worker(order);
    const tasks = await Promise.all(ids.map((id) => untilFinal(stand, as, id)));
    for (const [at, task] of tasks.entries()) check(refs[at] as string, at, task);
    await checkEnds(database, ids);
    await kill(child);
    longestMs = Math.max(longestMs, await longestWait(database, cut, killedAt));
  }
  return longestMs;
}

async function worker(order: string): Promise<ChildProcess> {
  const file = new URL('./kill-task-child.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [file, order], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

type Shown = Awaited<ReturnType<TasksStand['until']>>;

async function untilFinal(stand: TasksStand, as: Parameters<TasksStand['until']>[0], id: string): Promise<Shown> {
  return until(`an end of ${id}`, async () => {
    const { body } = await stand.ask(as, 'GET', `/api/agents/tasks/${id}`);
    return FINAL.includes(body.status) && body;
  });
}

function check(ref: string, input: number, task: Shown): void {
  const completed = task.status === 'completed' && task.output === input;
  const interrupted = ref === 'effect_nap' && task.status === 'failed' && task.status_reason === 'interrupted';
  assert.ok(completed || interrupted, `${ref}: ${task.status} ${task.status_reason}`);
}

/** One end, one receipt, and no work left over. */
async function checkEnds({ db }: TestDatabase, ids: string[]): Promise<void> {
  for (const id of ids) {
    const events = await db.selectFrom('task_events').select('data').where('task_id', '=', id).execute();
    const ends = events
      .map((event) => JSON.parse(event.data).status as string)
      .filter((status) => FINAL.includes(status));
    assert.equal(ends.length, 1, `${id} ended ${ends.join(', ')}`);
    const receipts = await db.selectFrom('receipts').select('id').where('run_id', '=', id).execute();
    assert.equal(receipts.length, 1);
  }
  // A task has ended a moment before its job is done.
  const left = () => db.selectFrom('jobs').select('key').where('key', 'in', ids).execute();
  await until('an end of all jobs', async () => (await left()).length === 0);
}

const runningOf = async ({ db }: TestDatabase, ids: string[]): Promise<string[]> =>
  (
    await db
      .selectFrom('tasks')
      .select('id')
      .where('id', 'in', ids)
      .where('status', '=', 'working')
      .where('attempt', '>', 0)
      .execute()
  ).map(({ id }) => id);

async function longestWait({ db }: TestDatabase, cut: string[], killedAt: number): Promise<number> {
  if (cut.length === 0) return 0;
  const events = await db.selectFrom('task_events').select(['at', 'data']).where('task_id', 'in', cut).execute();
  const again = events.filter(
    (event) => JSON.parse(event.data).attempt >= 2 && JSON.parse(event.data).status_reason === 'running',
  );
  return Math.max(0, ...again.map(({ at }) => Date.parse(at) - killedAt));
}

import { SHOWN_ID } from '#accounts/users/house-accounts.ts';
import { type Handler, jsonText } from '#core/http/operation.ts';
import type { Log } from '#core/log.ts';
import { uncounted } from '#runtime/runs/caller.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import { sharedRun } from '#runtime/tasks/shared-run.ts';
import { listTasks, newestCompleted } from '#runtime/tasks/tasks.ts';
import type { trialsContract } from './contract.ts';
import type { TrialsDeps } from './deps.ts';
import { queueRun, SHOWS } from './queue-run.ts';

/** A real run of a skill of this service, which visitors see. It is repeated when someone looks and it is a day old. */

const DAY_MS = 86_400_000;
/** After a run that did not complete. */
const RETRY_MS = 600_000;
/** How often a process asks whether a new run is due. */
const LOOK_MS = 30_000;
/** Whose result says most at a glance. */
const PREFERRED = 'csv-profile';

export interface ExampleDeps extends TrialsDeps {
  log: Log;
  skills: TrialsDeps['skills'] & { skills: readonly Skill[] };
}

/** GET /api/trials/example */
export function getExample(deps: ExampleDeps): Handler<typeof trialsContract.getExample> {
  const { db, clock } = deps.tasks;
  let known: { id: string; run: Promise<string> } | undefined;
  let lookedMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = clock.now();
    if (nowMs - lookedMs >= LOOK_MS) {
      lookedMs = nowMs;
      await runIfDue(deps, nowMs).catch((error) => deps.log.warn({ err: error }, 'the example run was not started'));
    }
    const task = await newestCompleted(db, SHOWN_ID);
    if (task === undefined) {
      // The first visitors come back soon, to see it.
      lookedMs = Math.min(lookedMs, nowMs - LOOK_MS + 1_000);
      return jsonText('{"run":null}', { cache_control: 'no-store' });
    }
    if (known?.id !== task.id) {
      known = { id: task.id, run: sharedRun(deps.tasks, task, SHOWS) };
      known.run.catch(() => {
        known = undefined;
      });
    }
    return jsonText(`{"run":${await known.run}}`, { cache_control: 'public, max-age=60' });
  };
}

async function runIfDue({ tasks, skills }: ExampleDeps, nowMs: number): Promise<void> {
  const skill = skills.get(PREFERRED) ?? skills.skills.find(isShowable);
  if (skill === undefined || !isShowable(skill)) return;
  const { items } = await listTasks(tasks.db, SHOWN_ID, { limit: 1, offset: 0 });
  const [last] = items;
  if (last?.status === 'working') return;
  const ageMs = last === undefined ? Number.POSITIVE_INFINITY : nowMs - Date.parse(last.created_at);
  const isCurrent = last?.capability_digest === skill.digest;
  if (ageMs < (last?.status === 'completed' && isCurrent ? DAY_MS : RETRY_MS)) return;
  const input = skill.example?.input ?? null;
  const ref = { kind: 'skill' as const, ref: skill.name };
  const capability = await tasks.runs.prepare(ref, uncounted(SHOWN_ID), { input });
  // Nothing that cannot run is tried again and again.
  if ((await capability.whyUnavailable()) !== null) return;
  await queueRun(tasks, { owner: SHOWN_ID, capability, input: JSON.stringify(input) });
}

const isShowable = ({ execution_class, example }: Skill): boolean => execution_class === 'scripted' && example !== null;

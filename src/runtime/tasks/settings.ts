import { duration, integer } from '#core/config/config.ts';

export const TASK_SETTINGS = {
  at_work_per_user: integer('CAPSTAN_TASKS_PER_USER', 4, 1, 1_000, {
    description: 'Maximum number of tasks of one user running at once. Others are queued.',
  }),
  queue_per_user: integer('CAPSTAN_TASK_QUEUE', 200, 1, 100_000, {
    description: 'How many started tasks one user may have, waiting ones included; more are turned away.',
  }),
  kept_per_user: integer('CAPSTAN_TASKS_KEPT', 10_000, 10, 10_000_000, {
    description: 'How many tasks one user may keep, ended ones included; they are deleted by their user.',
  }),
  kept_ms: duration('CAPSTAN_TASK_RETENTION', '365d', 3_600_000, {
    description: 'How long a task is kept after it has ended, with its result and files. Its receipt stays.',
  }),
  starts_per_day: integer('CAPSTAN_TASK_STARTS', 2_000, 1, 10_000_000, {
    description:
      'Maximum number of tasks started per user in 24 hours. Each leaves a receipt of about 5 kB, and receipts are never deleted.',
  }),
  concurrency: integer('CAPSTAN_TASKS_CONCURRENCY', 16, 1, 1_000, {
    description:
      'Maximum number of tasks running at once per process. Scripts among them also wait for a place in the sandbox.',
  }),
  timeout_ms: duration('CAPSTAN_TASK_TIMEOUT', '60s', 1_000, {
    description: 'Time limit of one run of a task.',
  }),
} as const;

import type { Task, TaskStatus } from '../../../sdk/src/index.ts';
import { command, group } from '../command.ts';
import { facts, table } from '../output.ts';
import { readInput } from '../read-input.ts';
import { finish } from './run.ts';

const STATUSES = [
  ...(['submitted', 'working', 'input_required', 'auth_required'] as const),
  ...(['completed', 'failed', 'cancelled', 'rejected'] as const),
] satisfies TaskStatus[];

const taskText = (task: Task): string =>
  [
    facts({
      task: task.id,
      title: task.title,
      status: task.status,
      why: task.status_reason,
      capability: `${task.capability.kind} ${task.capability.ref} ${task.capability.version}`,
      created: task.created_at,
      ended: task.finished_at,
      receipt: task.receipt_id,
      error: task.error && `${task.error.detail} (${task.error.code})`,
    }),
    ...(task.output === null
      ? []
      : ['', typeof task.output === 'string' ? task.output : JSON.stringify(task.output, null, 2)]),
  ].join('\n');

export const tasks = group(
  'tasks',
  { summary: 'manage your tasks: list, show, watch, answer, cancel', about: 'Manage your tasks.' },
  [
    command('list', {
      about: 'List tasks, newest first.',
      isDefault: true,
      options: {
        '--status <status>': { about: 'filter by status', choices: STATUSES },
        '--limit <n>': { about: 'tasks per page', whole: true, default: 20 },
        '--offset <n>': { about: 'tasks to skip', whole: true, default: 0 },
      },
      call: ({ capstan }, { status, limit, offset }) => capstan.tasks.list({ status, limit, offset }),
      empty({ items }, { status, offset }) {
        if (items.length > 0) return null;
        if (status === undefined && offset === 0) return 'No tasks. Start one: capstan run <ref>';
        const which = status === undefined ? '' : ` with the status ${status}`;
        return `No tasks${which}${offset === 0 ? '' : ` after the first ${offset}`}. List all: capstan tasks`;
      },
      text: ({ items }) => table(items.map((task) => [task.id, task.status, task.created_at.slice(0, 16), task.title])),
    }),
    command('show <id>', {
      about: 'Show a task with its result.',
      call: ({ capstan }, { id }) => capstan.tasks.get({ id }),
      text: taskText,
    }),
    command('watch <id>', {
      about:
        'Follow a task until it finishes or needs input. The result goes to stdout; with --json, each event ' +
        'is one line.',
      call: async (service, { id }) => finish(service, await service.capstan.tasks.get({ id }), { is_told: true }),
    }),
    command('answer <id>', {
      about: 'Provide the input that a task is waiting for.',
      options: { '-i, --input <json>': { about: 'JSON, @file, or - for stdin', required: true } },
      async call(service, { id, input }) {
        const { capstan, world } = service;
        const answered = await capstan.tasks.update({ id, body: { input: await readInput(world, input) } });
        // Declined, so that it has ended, or an answer to a server, whose run continues.
        const isOpen = answered.status === 'input_required';
        await finish(service, isOpen ? await capstan.tasks.start({ id }) : answered);
      },
    }),
    command('cancel <id>', {
      about: 'Cancel a task. A running task stops within a second.',
      call: ({ capstan }, { id }) => capstan.tasks.update({ id, body: { status: 'cancelled' } }),
      text: ({ status }) => status,
    }),
  ],
);

import type { Task, TaskStatus } from '../../../sdk/src/index.ts';
import { command, group } from '../command.ts';
import { facts, table } from '../output.ts';
import { readInput } from '../read-input.ts';
import { finish } from './run.ts';

const STATUSES = [
  ...(['submitted', 'working', 'input_required', 'auth_required'] as const),
  ...(['completed', 'failed', 'cancelled', 'rejected'] as const),
] satisfies TaskStatus[];

const taskText = (it: Task): string =>
  [
    facts({
      task: it.id,
      title: it.title,
      status: it.status,
      why: it.status_reason,
      capability: `${it.capability.kind} ${it.capability.ref} ${it.capability.version}`,
      created: it.created_at,
      ended: it.finished_at,
      receipt: it.receipt_id,
      error: it.error && `${it.error.detail} (${it.error.code})`,
    }),
    ...(it.output === null ? [] : ['', typeof it.output === 'string' ? it.output : JSON.stringify(it.output, null, 2)]),
  ].join('\n');

export const tasks = group(
  'tasks',
  { summary: 'your tasks: list, show, watch, answer, cancel', about: 'Your tasks.' },
  [
    command('list', {
      about: 'The newest first.',
      isDefault: true,
      options: {
        '--status <status>': { about: 'only those in this state', choices: STATUSES },
        '--limit <n>': { about: 'tasks on a page', whole: true, default: 20 },
        '--offset <n>': { about: 'tasks before the page', whole: true, default: 0 },
      },
      call: ({ capstan }, { status, limit, offset }) => capstan.tasks.list({ status, limit, offset }),
      text: ({ items }) => table(items.map((it) => [it.id, it.status, it.created_at.slice(0, 16), it.title])),
    }),
    command('show <id>', {
      about: 'One task with its result.',
      call: ({ capstan }, { id }) => capstan.tasks.get({ id }),
      text: taskText,
    }),
    command('watch <id>', {
      about: 'Tell what happens until it rests; its result goes to stdout. As JSON each event is a line.',
      call: async (service, { id }) => finish(service, await service.capstan.tasks.get({ id }), { is_told: true }),
    }),
    command('answer <id>', {
      about: 'Give what a task asks for, and let it go on.',
      options: { '-i, --input <json>': { about: 'JSON, @file, or - for stdin', required: true } },
      async call(service, { id, input }) {
        const { capstan, world } = service;
        await capstan.tasks.update({ id, body: { input: await readInput(world, input) } });
        await finish(service, await capstan.tasks.start({ id }));
      },
    }),
    command('cancel <id>', {
      about: 'At once where nothing runs, within a second where something does.',
      call: ({ capstan }, { id }) => capstan.tasks.update({ id, body: { status: 'cancelled' } }),
      text: ({ status }) => status,
    }),
  ],
);

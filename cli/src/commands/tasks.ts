import type { Command } from 'commander';
import type { TaskSummary } from '../../../sdk/src/index.ts';
import { contextOf } from '../context.ts';
import { facts, table } from '../output.ts';
import { readInput } from '../read-input.ts';
import type { World } from '../world.ts';
import { finish } from './run.ts';
import { whole } from './search.ts';

export function addTasks(program: Command, world: World): void {
  const tasks = program
    .command('tasks')
    .summary('your tasks: list, show, watch, answer, cancel')
    .description('Your tasks.');
  tasks
    .command('list', { isDefault: true })
    .description('The newest first.')
    .option('--status <status>', 'only those in this state')
    .option('--limit <n>', 'tasks on a page', '20')
    .option('--offset <n>', 'tasks before the page', '0')
    .action(async (asked: { status?: 'working'; limit: string; offset: string }, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const { status } = asked;
      const page = { limit: whole(asked.limit, '--limit'), offset: whole(asked.offset, '--offset') };
      const found = await capstan.tasks.listTasks({ ...page, ...(status === undefined ? {} : { status }) });
      context.show(found, ({ items }) => table(items.map(row)));
    });
  tasks
    .command('show')
    .description('One task with its result.')
    .argument('<id>')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      context.show(await capstan.tasks.getTask({ id }), (it) =>
        [
          facts([
            ...([
              ['task', it.id],
              ['title', it.title],
              ['status', it.status],
              ['why', it.status_reason ?? ''],
            ] as const),
            ...([['capability', `${it.capability.kind} ${it.capability.ref} ${it.capability.version}`]] as const),
            ...([
              ['created', it.created_at],
              ['ended', it.finished_at ?? ''],
              ['receipt', it.receipt_id ?? ''],
            ] as const),
            ['error', it.error === null ? '' : `${it.error.detail} (${it.error.code})`],
          ]),
          ...(it.output === null
            ? []
            : ['', typeof it.output === 'string' ? it.output : JSON.stringify(it.output, null, 2)]),
        ].join('\n'),
      );
    });
  addChanges(tasks, world);
}

/** What has a task go on, or end. */
function addChanges(tasks: Command, world: World): void {
  tasks
    .command('watch')
    .description('Tell what happens until it rests; its result goes to stdout.')
    .argument('<id>')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = contextOf(world, command);
      await finish(context, (await context.open()).capstan, id);
    });
  tasks
    .command('answer')
    .description('Give what a task asks for, and let it go on.')
    .argument('<id>')
    .requiredOption('-i, --input <json>', 'JSON, @file, or - for stdin')
    .action(async (id: string, asked: { input: string }, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      await capstan.tasks.updateTask({ id, body: { input: await readInput(world, asked.input) } });
      await capstan.tasks.startTask({ id });
      await finish(context, capstan, id);
    });
  tasks
    .command('cancel')
    .description('At once where nothing runs, within a second where something does.')
    .argument('<id>')
    .action(async (id: string, _options: unknown, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      context.show(await capstan.tasks.updateTask({ id, body: { status: 'cancelled' } }), ({ status }) => status);
    });
}

const row = ({ id, status, created_at, title }: TaskSummary): string[] => [id, status, created_at.slice(0, 16), title];

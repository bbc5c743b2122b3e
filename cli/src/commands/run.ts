import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Capstan, Task } from '../../../sdk/src/index.ts';
import { type Context, contextOf } from '../context.ts';
import { EXIT, Failure } from '../failure.ts';
import { within } from '../install/files.ts';
import { facts, safe } from '../output.ts';
import { readFiles, readInput } from '../read-input.ts';
import { capabilityOf, refOf } from '../ref.ts';
import type { World } from '../world.ts';

interface Asked {
  input?: string;
  tool?: string;
  file: string[];
  version?: string;
  title?: string;
  wait: boolean;
  out?: string;
  receipt?: string;
  dryRun?: boolean;
}

export function addRun(program: Command, world: World): void {
  program
    .command('run')
    .summary('run a capability and wait for its result')
    .description('Run a capability. Its result goes to stdout, what it prints meanwhile to stderr.')
    .argument('<ref>', 'provider/id, an id of the marketplace, or the name of a skill')
    .option('-i, --input <json>', 'its input: JSON, @file, or - for stdin')
    .option('--tool <name>', 'of a server: the tool to call, with --input as its arguments')
    .option('-f, --file <[name=]path>', 'a file for it; may be repeated', (it, all: string[]) => [...all, it], [])
    .option('--pin <version>', 'exactly this version')
    .option('--title <text>', 'what the task is called')
    .option('--no-wait', 'answer the task as soon as it is started')
    .option('-o, --out <folder>', 'write the files that it leaves there')
    .option('--receipt <file>', 'write its receipt there')
    .option('--dry-run', 'make the task and start nothing: checks reference, version and input')
    .action(async (text: string, asked: Asked & { pin?: string }, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const given = await readInput(world, asked.input);
      const input = asked.tool === undefined ? given : { tool: asked.tool, arguments: given ?? {} };
      const capability = capabilityOf(refOf(text), asked.pin) as { kind: 'skill'; ref: string };
      const input_files = await readFiles(world, asked.file);
      const task = await capstan.tasks.createTask({
        body: {
          capability,
          ...(input === undefined ? {} : { input }),
          ...(asked.title === undefined ? {} : { title: asked.title }),
          ...(input_files.length === 0 ? {} : { input_files }),
        },
      });
      if (asked.dryRun === true) {
        await capstan.tasks.updateTask({ id: task.id, body: { status: 'cancelled' } });
        return context.show(
          task,
          () => `It can run: ${task.capability.ref} ${task.capability.version} ${task.capability.digest}`,
        );
      }
      const started = await capstan.tasks.startTask({ id: task.id });
      if (!asked.wait) return context.show(started, ({ id }) => id);
      await finish(context, capstan, started.id, asked);
    });
}

/** Tells what happens until the task rests, then shows its result. Exit code 1 where it did not complete. */
export async function finish(
  context: Context,
  capstan: Capstan,
  id: string,
  { out, receipt }: Pick<Asked, 'out' | 'receipt'> = {},
): Promise<void> {
  const { world } = context;
  for await (const { event, data } of capstan.tasks.watchTask({ id }, { signal: world.signal })) {
    if (event === 'output' && !context.format.quiet) world.stderr.write(safe(data.text));
    if (event === 'status' && /_required$/.test(data.status)) break;
  }
  const task = await capstan.tasks.getTask({ id });
  if (out !== undefined)
    for (const { path, content_base64 } of task.output_files) await writeOut(world, out, path, content_base64);
  if (receipt !== undefined && task.receipt_id !== null)
    await writeFile(
      resolve(world.cwd, receipt),
      JSON.stringify(await capstan.receipts.getReceipt({ id: task.receipt_id })),
    );
  context.show(task, resultText);
  context.say(
    facts([
      ['task', task.id],
      ['receipt', task.receipt_id ?? 'none: nothing ran'],
    ]),
  );
  if (task.status !== 'completed') throw failed(task);
}

const resultText = ({ output }: Task): string =>
  output === null || output === undefined
    ? ''
    : typeof output === 'string'
      ? safe(output)
      : JSON.stringify(output, null, 2);

async function writeOut(world: World, folder: string, path: string, content_base64: string): Promise<void> {
  const file = within(resolve(world.cwd, folder), path);
  const { mkdir } = await import('node:fs/promises');
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, Buffer.from(content_base64, 'base64'));
}

const FIXES: Record<string, string> = {
  input_required: 'It asks for input: capstan tasks answer <id> --input …',
  auth_required: 'It needs a sign-in or a credential: capstan connections list, then sign-in.',
};

function failed({ id, status, status_reason, error }: Task): Failure {
  const why = error === null ? (status_reason ?? status) : error.detail;
  const exit_code = status === 'auth_required' ? EXIT.denied : EXIT.error;
  return new Failure(error?.code ?? `task.${status}`, `The task ${id} is ${status}: ${why}`, {
    ...{ exit_code, fix: FIXES[status] ?? `capstan trace ${id} shows what happened.` },
  });
}

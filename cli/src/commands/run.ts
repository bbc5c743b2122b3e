import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Task } from '../../../sdk/src/index.ts';
import { command, type Service } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { within } from '../install/files.ts';
import { facts, safe } from '../output.ts';
import { readFiles, readInput } from '../read-input.ts';
import { capabilityOf, REF, refOf } from '../ref.ts';

export const run = command('run <ref>', {
  summary: 'run a capability and wait for its result',
  about: 'Run a capability. Its result goes to stdout, what it prints meanwhile to stderr.',
  args: REF,
  options: {
    '-i, --input <json>': 'its input: JSON, @file, or - for stdin',
    '--tool <name>': 'of a server: the tool to call, with --input as its arguments',
    '-f, --file <[name=]path>': { about: 'a file for it; may be repeated', many: true },
    '--pin <version>': 'exactly this version',
    '--title <text>': 'what the task is called',
    '--no-wait': 'answer the task as soon as it is started',
    '-o, --out <folder>': 'write the files that it leaves there',
    '--receipt <file>': 'write its receipt there',
    '--dry-run': 'make the task and start nothing: checks reference, version and input',
  },
  async call(service, { ref, tool, title, pin, wait, dryRun, file, out, receipt, ...asked }) {
    const { capstan, world } = service;
    const written = await readInput(world, asked.input);
    const input = tool === undefined ? written : { tool, arguments: written ?? {} };
    const files = await readFiles(world, file);
    const capability = capabilityOf(refOf(ref), pin);
    const body = { capability, input, title, input_files: files.length === 0 ? undefined : files };
    const task = await capstan.tasks.create({ body });
    if (dryRun) {
      await capstan.tasks.update({ id: task.id, body: { status: 'cancelled' } });
      const { ref, version, digest } = task.capability;
      return service.show(task, () => `It can run: ${ref} ${version} ${digest}`);
    }
    const started = await capstan.tasks.start({ id: task.id });
    if (!wait) return service.show(started, ({ id }) => id);
    await finish(service, started, { out, receipt });
  },
});

interface Finish {
  out?: string | undefined;
  receipt?: string | undefined;
  /** As JSON every event is a line, and the result the last one. */
  is_told?: boolean;
}

/** Tells what happens until the task rests, then shows its result. Exit code 1 where it did not complete. */
export async function finish(service: Service, { id, title }: Task, { out, receipt, is_told }: Finish = {}) {
  const { capstan, world, format, showLine } = service;
  const lines = is_told === true && format.json;
  await service.during(title, async (tell) => {
    for await (const { event, data } of capstan.tasks.watch({ id }, { signal: world.signal })) {
      if (lines) showLine({ event, data }, () => '');
      else if (event === 'output') service.pass(data.text);
      if (event === 'status') tell({ label: `${title}: ${data.status}` });
      if (event === 'status' && /_required$/.test(data.status)) break;
    }
  });
  const task = await capstan.tasks.get({ id });
  if (out !== undefined)
    for (const { path, content_base64 } of task.output_files)
      await writeOut(within(resolve(world.cwd, out), path), Buffer.from(content_base64, 'base64'));
  if (receipt !== undefined && task.receipt_id !== null) {
    const bundle = await capstan.receipts.get({ id: task.receipt_id });
    await writeOut(resolve(world.cwd, receipt), JSON.stringify(bundle));
  }
  if (lines) showLine({ event: 'result', data: task }, () => '');
  else service.show(task, resultText);
  service.say(facts({ task: task.id, receipt: task.receipt_id ?? 'none: nothing ran' }));
  if (task.status !== 'completed') throw failed(task);
}

const resultText = ({ output }: Task): string =>
  output === null || output === undefined
    ? ''
    : typeof output === 'string'
      ? safe(output)
      : JSON.stringify(output, null, 2);

async function writeOut(file: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

const FIXES: Record<string, string> = {
  rejected: 'Nothing was run. The reason says what to do.',
  input_required: 'It asks for input: capstan tasks answer <id> --input …',
  auth_required: 'It needs a sign-in or a credential: capstan connections list, then sign-in.',
};

function failed({ id, status, status_reason, error }: Task): Failure {
  const why = error === null ? (status_reason ?? status) : error.detail;
  const exit_code = status === 'auth_required' ? EXIT.denied : EXIT.error;
  return new Failure(error?.code ?? `task.${status}`, `The task ${id} is ${status}: ${why}`, {
    exit_code,
    fix: FIXES[status] ?? `capstan trace ${id} shows what happened.`,
  });
}

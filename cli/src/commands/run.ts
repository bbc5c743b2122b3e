import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { stepText, type Task } from '../../../sdk/src/index.ts';
import { command, type Service } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { within } from '../install/files.ts';
import { facts, safe } from '../output.ts';
import { readFiles, readInput } from '../read-input.ts';
import { capabilityOf, REF, refOf } from '../ref.ts';

export const run = command('run <ref>', {
  summary: 'run a capability and wait for its result',
  about: 'Run a capability. The result goes to stdout, progress to stderr.',
  args: REF,
  options: {
    '-i, --input <json>': 'input as JSON, @file, or - for stdin',
    '--tool <name>': 'for servers: the tool to call, with --input as its arguments',
    '-f, --file <[name=]path>': { about: 'input file; repeatable', many: true },
    '--pin <version>': 'run this exact version',
    '--title <text>': 'task title',
    '--no-wait': 'return as soon as the task has started',
    '-o, --out <folder>': 'write output files to this folder',
    '--receipt <file>': 'write the receipt to this file',
    '--dry-run': 'create the task without starting it, to check the reference, version and input',
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
      return service.show(task, () => `Ready to run: ${ref} ${version} ${digest}`);
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
      if (event === 'step') tell({ label: `${title}: ${stepText(data)}` });
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
  service.say(facts({ task: task.id, receipt: task.receipt_id ?? 'none (not started)' }));
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
  rejected: 'The capability did not run; see the reason.',
  input_required: 'The task needs input: capstan tasks answer <id> --input …',
  auth_required: 'The task needs an authorization or a credential: capstan connections list, then sign-in.',
};

function failed({ id, status, status_reason, error }: Task): Failure {
  const why = error === null ? (status_reason ?? status) : error.detail;
  const exit_code = status === 'auth_required' ? EXIT.denied : EXIT.error;
  return new Failure(error?.code ?? `task.${status}`, `The task ${id} is ${status}: ${why}`, {
    exit_code,
    fix: FIXES[status] ?? `capstan trace ${id} shows what happened.`,
  });
}

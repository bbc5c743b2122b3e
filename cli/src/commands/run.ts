import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { stepText, type Task } from '../../../sdk/src/index.ts';
import { addConnection } from '../add-connection.ts';
import { localCommand, type Service } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure, onlyLocal, usage } from '../failure.ts';
import { within } from '../install/files.ts';
import { facts, safe } from '../output.ts';
import { readFiles, readInput } from '../read-input.ts';
import { REF, refOf } from '../ref.ts';
import { runTrial } from '../run-trial.ts';
import { answerQuestion, environmentPairs, skillListing, storeForSkill } from '../skill-values.ts';
import { type GivenValues, SHARE_OPTION, VALUE_OPTIONS } from '../values.ts';

export const run = localCommand('run <ref>', {
  summary: 'run a capability and wait for its result',
  about:
    'Run a capability. The result goes to stdout, progress to stderr. Without signing in, you can run scripted skills of the ' +
    'service and read-only tools of servers a few times a day. With --local, a skill or a packaged server runs in a box ' +
    'on this machine, without an account. For a server, --var, --secret or --host create a connection that is deleted after the run. ' +
    'For a skill, --secret and --host are stored for the skill, and --env applies to this run.',
  args: {
    ref: `${REF.ref}; with --local also a package URL such as pkg:npm/<name>@<version>, or a folder or archive of a skill such as ./tides`,
  },
  options: {
    '-i, --input <json>': 'input as JSON, @file, or - for stdin',
    '--example': 'use the example input of a skill of the service',
    '--tool <name>': 'for servers: the tool to call, with --input as its arguments',
    '-f, --file <[name=]path>': { about: 'input file; repeatable', many: true },
    '--pin <version>': 'run this exact version',
    '--title <text>': 'task title',
    '--no-wait': 'return as soon as the task has started',
    '-o, --out <folder>': 'write output files to this folder',
    '--receipt <file>': 'write the receipt to this file',
    '--dry-run': 'create the task without starting it, to check the reference, version and input',
    '--local':
      'run the skill or the package of the server in a box on this machine; servers without --tool list their tools',
    '--env <name[=value]>': {
      about: 'environment variable for the script of a skill; without a value, the one of your environment; repeatable',
      many: true,
    },
    '--install': 'accept that the packages which a skill needs are installed in its box',
    ...VALUE_OPTIONS,
    ...SHARE_OPTION,
  },
  async call(context, given) {
    const asked = given.example ? { ...given, input: await exampleOf(context, given) } : given;
    if (asked.local) return runHere(context, asked);
    if (asked.share.length > 0) throw onlyLocal('share');
    const service = { ...context, ...(await context.open()) };
    if (service.capstan.token === null && asked.wait && !asked.dryRun && givenOf(asked, NEEDS_ACCOUNT) === undefined)
      return runTrial(service, asked, (id) => keepReceipt(service, asked.receipt, id));
    const forSkill = asked.env.length > 0 || asked.install;
    const hasValues = asked.var.length + asked.secret.length + asked.host.length > 0 || asked.package !== undefined;
    const listing = forSkill || hasValues ? await skillListing(service, asked.ref) : null;
    if (listing === null && forSkill)
      throw usage(
        '--env and --install are for skills of listings and published skills.',
        'For a server, use --var, --secret and --host.',
      );
    if (listing === null && hasValues) return runWithValues(service, asked);
    if (listing !== null) await storeForSkill(service, listing, asked);
    const environment = await environmentPairs(service, asked.env);
    // The service finds out what the name means: a listing, a skill, or a rig, harness or connection of the user.
    return runTask(service, { ref: asked.ref, version: asked.pin }, { ...asked, environment });
  },
});

/** The skill's own example as JSON. */
async function exampleOf({ open }: Context, { ref, input }: { ref: string; input: string | undefined }) {
  if (input !== undefined) throw usage('--example and --input cannot be used together.', 'Use one of them.');
  const found = refOf(ref);
  if (found.kind !== 'skill')
    throw usage(`${ref} has no example: only skills of the service have one.`, 'Use --input.');
  const { capstan } = await open();
  const { example } = await capstan.skills.get({ name: found.ref });
  if (example === undefined) throw usage(`${ref} has no example.`, `Use --input; capstan show ${ref} describes it.`);
  return JSON.stringify(example.input);
}

/** With one of these, a run needs an account. */
const NEEDS_ACCOUNT = ['file', 'title', 'out', 'env', 'install', 'var', 'secret', 'host', 'package'] as const;

interface TaskAsked {
  input: string | undefined;
  tool: string | undefined;
  file: readonly string[];
  title: string | undefined;
  wait: boolean;
  out: string | undefined;
  receipt: string | undefined;
  dryRun: boolean;
  environment?: Readonly<Record<string, string>>;
  install?: boolean;
}

type LocalAsked = Parameters<typeof import('../local/run.ts').runLocal>[1] &
  Parameters<typeof import('../local/run-skill.ts').runLocalSkill>[2] &
  Pick<TaskAsked, 'title' | 'wait'> & { pin: string | undefined };

const NOT_LOCAL = ['pin', 'title'] as const;
const NOT_FOR_SERVERS = ['file', 'out', 'env', 'install'] as const;
const NOT_FOR_SKILLS = ['tool', 'var', 'package', 'share'] as const;

/** With `--local`: a skill or a server, on this machine. */
async function runHere(context: Context, asked: LocalAsked): Promise<void> {
  const wrong = givenOf(asked, NOT_LOCAL) ?? (asked.wait ? undefined : 'no-wait');
  if (wrong !== undefined) throw usage(`--${wrong} cannot be used with --local.`, 'Remove it.');
  const { skillOf } = await import('../local/skill-of.ts');
  const { explained } = await import('../local/explain.ts');
  const skill = await explained(() =>
    skillOf(context, asked.ref, async (subject, error) => {
      const { recordUnfetchedSkill } = await import('../local/run-skill.ts');
      await recordUnfetchedSkill(context, asked, subject, error);
    }),
  );
  if (skill === null) {
    const flag = givenOf(asked, NOT_FOR_SERVERS) ?? (asked.dryRun ? 'dry-run' : undefined);
    if (flag !== undefined) throw usage(`--${flag} is for skills, and ${asked.ref} is a server.`, 'Remove it.');
    return (await import('../local/run.ts')).runLocal(context, asked);
  }
  const flag = givenOf(asked, NOT_FOR_SKILLS);
  if (flag !== undefined)
    throw usage(
      `--${flag} is for servers, and ${asked.ref} is a skill.`,
      'Use --env NAME=value and --secret NAME=@file.',
    );
  return (await import('../local/run-skill.ts')).runLocalSkill(context, skill, asked);
}

/** The first option that was given. */
const givenOf = <K extends string>(asked: { readonly [N in K]: unknown }, names: readonly K[]): K | undefined =>
  names.find((name) => {
    const value = asked[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  });

async function runTask(
  service: Service,
  capability: { kind?: 'connection'; ref: string; version?: string | undefined },
  { tool, title, wait, dryRun, file, out, receipt, environment = {}, install = false, ...asked }: TaskAsked,
): Promise<void> {
  const { capstan, world } = service;
  const written = await readInput(world, asked.input);
  // What a connection runs is one tool, whose arguments are an object.
  const plain = capability.kind === 'connection' || TOOL_OF.test(capability.ref) ? (written ?? {}) : written;
  const input = tool === undefined ? plain : { tool, arguments: written ?? {} };
  const files = await readFiles(world, file);
  const body = {
    capability,
    input,
    title,
    input_files: files.length === 0 ? undefined : files,
    environment: Object.keys(environment).length === 0 ? undefined : environment,
    install: install ? true : undefined,
  };
  const task = await capstan.tasks.create({ body });
  if (dryRun) {
    await capstan.tasks.update({ id: task.id, body: { status: 'cancelled' } });
    const { ref, version, digest } = task.capability;
    return service.show(task, () => `Ready to run: ${ref} ${version} ${digest}`);
  }
  const started = await capstan.tasks.start({ id: task.id });
  if (!wait) return service.show(started, ({ id }) => id);
  await finish(service, started, { out, receipt });
}

/** `connection id/tool`. */
const TOOL_OF = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/./;

/** Values belong to connections, so there is one for as long as the run takes. */
async function runWithValues(
  service: Service,
  asked: TaskAsked & GivenValues & { ref: string; host: readonly string[]; package: number | undefined },
): Promise<void> {
  const { tool, wait, dryRun, ...rest } = asked;
  if (tool === undefined)
    throw usage(
      'Values need --tool, which names the tool to call.',
      `capstan connect ${asked.ref} keeps the connection.`,
    );
  if (!wait)
    throw usage('--no-wait cannot be used with values.', `Use capstan connect ${asked.ref} to keep the connection.`);
  const connection = await addConnection(service, { ...rest, server: asked.ref, name: undefined });
  try {
    const capability = { kind: 'connection' as const, ref: `${connection.id}/${tool}` };
    await runTask(service, capability, { ...rest, tool: undefined, wait, dryRun });
  } finally {
    await service.capstan.connections.delete({ id: connection.id });
  }
}

interface Finish {
  out?: string | undefined;
  receipt?: string | undefined;
  /** With JSON output each event is one line, and the result is the last one. */
  is_told?: boolean;
  /** Its question was answered once: the person is not asked again, except by servers. */
  is_asked?: boolean;
  /** The last event that was shown. */
  after?: string;
}

/** Prints the progress until the task stops, then shows its result. Exit code 1 if it did not complete. */
export async function finish(
  service: Service,
  { id, title }: Task,
  { out, receipt, is_told, is_asked, after = '' }: Finish = {},
): Promise<void> {
  const { capstan, world, format, showLine } = service;
  const lines = is_told === true && format.json;
  const printed: string[] = [];
  const { task, last } = await service.during(title, async (tell) => {
    for (let from = after; ; ) {
      from = await follow(service, { id, title, lines, after: from, printed }, tell);
      const now = await capstan.tasks.get({ id });
      // What it asked may have been answered since.
      if (now.status !== 'working') return { task: now, last: from };
    }
  });
  const isAsking = task.status === 'input_required' && (is_asked !== true || task.server_question !== null);
  const answer = isAsking ? await answerQuestion(service, task) : null;
  if (answer !== null)
    return continueTask(service, task, answer, { out, receipt, after: last, ...(is_told ? { is_told } : {}) });
  if (out !== undefined)
    for (const { path, content_base64 } of task.output_files)
      await writeOut(within(resolve(world.cwd, out), path), Buffer.from(content_base64, 'base64'));
  if (task.receipt_id !== null) await keepReceipt(service, receipt, task.receipt_id);
  if (lines) showLine({ event: 'result', data: task }, () => '');
  else service.show(task, resultText);
  // What the program printed is its result. Without a result it says why.
  if (!lines && resultText(task) === '') service.pass(printed.join('').replace(/[^\n]$/, '$&\n'));
  service.say(facts({ task: task.id, receipt: task.receipt_id ?? 'none (not started)' }));
  if (task.status !== 'completed') throw failed(task);
}

interface Following {
  id: string;
  title: string;
  lines: boolean;
  after: string;
  /** What the program prints on standard output is added here. */
  printed: string[];
}

/** Prints the events after one, until the task ends or asks for something. Answers the last one. */
async function follow(
  { capstan, world, showLine, pass }: Service,
  { id, title, lines, after, printed }: Following,
  tell: (change: { label: string }) => void,
): Promise<string> {
  let last = after;
  let isMidLine = false;
  const options = { signal: world.signal, headers: after === '' ? {} : { 'last-event-id': after } };
  for await (const { id: eventId, event, data } of capstan.tasks.watch({ id }, options)) {
    last = eventId;
    if (lines) showLine({ event, data }, () => '');
    else if (event === 'output' && data.stream === 'stdout') printed.push(data.text);
    else if (event === 'output') {
      pass(data.text);
      isMidLine = data.text !== '' && !data.text.endsWith('\n');
    }
    if (event === 'step') tell({ label: `${title}: ${stepText(data)}` });
    if (event === 'status') tell({ label: `${title}: ${data.status}` });
    if (event === 'status' && /_required$/.test(data.status)) break;
  }
  if (isMidLine) pass('\n');
  return last;
}

/** Writes it to the file that was asked for, if one was. */
async function keepReceipt(
  { capstan, world }: Pick<Service, 'capstan' | 'world'>,
  file: string | undefined,
  id: string,
): Promise<void> {
  if (file === undefined) return;
  const bundle = await capstan.receipts.get({ id });
  await writeOut(resolve(world.cwd, file), JSON.stringify(bundle));
}

async function continueTask(
  service: Service,
  { id, server_question }: Task,
  input: unknown,
  more: Finish,
): Promise<void> {
  const { tasks } = service.capstan;
  const answered = await tasks.update({ id, body: { input } });
  // Declined, or a server was answered: then the run continues.
  const next = answered.status === 'input_required' && server_question === null ? await tasks.start({ id }) : answered;
  await finish(service, next, { ...more, is_asked: server_question === null });
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

/** By the reason, or else by the status. */
const FIXES: Record<string, string> = {
  needs_install: 'Accept the packages with --install, or answer the task: capstan tasks answer <id> --input true.',
  declined: 'Run it again to be asked again.',
  missing_env:
    'Give its values. A skill: --env NAME=value and --secret NAME. A server: --tool with --var, --secret and --host, or capstan connect.',
  rejected: 'The capability did not run; see the reason.',
  server_asks:
    'A server asks its owner. Run this in a terminal, open the page of the task, or answer with capstan tasks answer <id> --input \'{"action":"accept","content":{…}}\'.',
  input_required: 'The task needs input: capstan tasks answer <id> --input …',
  auth_required: 'The task needs an authorization or a credential: capstan connections list, then sign-in.',
};

function failed({ id, status, status_reason, server_question, error }: Task): Failure {
  const why = server_question?.message ?? error?.detail ?? status_reason ?? status;
  const exit_code = status === 'auth_required' ? EXIT.denied : EXIT.error;
  return new Failure(error?.code ?? `task.${status}`, `The task ${id} is ${status}: ${safe(why)}`, {
    exit_code,
    fix: FIXES[status_reason ?? ''] ?? FIXES[status] ?? `capstan trace ${id} shows what happened.`,
  });
}

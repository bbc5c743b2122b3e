import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { CommandIo, Output } from '#core/command-io.ts';
import { defined } from '#core/defined.ts';
import { coreProblem } from '#core/errors.ts';
import { type PackageStep, stepText } from '#core/mcp/packaged-servers.ts';
import { Problem } from '#core/problem/problem.ts';
import { renderTree } from '#core/traces/render-tree.ts';
import type { StoredSpan } from '#core/traces/span.ts';
import type { Tracing } from '#core/traces/tracing.ts';
import { variableFault } from '#runtime/native/secret-variable.ts';
import { hostFault } from '#runtime/packaged/host-grants.ts';
import type { Bundle } from '#runtime/receipts/bundle.ts';
import { newReceiptKey } from '#runtime/receipts/receipts.ts';
import type { OutputStream, Sandbox } from '#runtime/sandbox/sandbox.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type { Ran } from './attempt.ts';
import { OPERATOR } from './caller.ts';
import type { Capability, CapabilityRef, RunGiven } from './capability.ts';
import { checkInput } from './check-input.ts';
import type { Runs } from './open-runs.ts';
import { type InputFor, readInput } from './read-input.ts';
import type { RunResult } from './result.ts';
import { visible, visibleText } from './visible-text.ts';

interface RunCommandDeps extends Pick<Runs, 'resolve' | 'run'> {
  /** The first-party skill of this name, for its example. */
  findSkill(name: string): Skill | undefined;
  /** Asks the operator at the terminal; null without a terminal. */
  ask?: ((question: string) => Promise<boolean>) | null;
  /** The environment of the operator's shell, from which `--env` and `--secret` read. */
  env?: NodeJS.ProcessEnv;
  sandbox: Pick<Sandbox, 'selfTest'>;
  tracing: Pick<Tracing, 'flush'>;
  listSpans(traceId: string): Promise<StoredSpan[]>;
  /** The bundle of a receipt that is stored. */
  readBundle(receiptId: string): Promise<Bundle | undefined>;
  /** Ends the run; the reason is the name of the operator's signal. */
  signal?: AbortSignal;
}

const RUN_USAGE = `usage: capstand run <what> (--input JSON | --input-file FILE | --example) [options]

Runs a capability and prints its output and trace. <what> is one of
  skill/<name>                         a first-party skill
  listing/<provider>/<id>              a listing of the registry; a tool of a server is named in the input:
                                       '{"tool":"<name>","arguments":{...}}'
A skill runs in the sandbox or by a language model, a tool on its server.

  --input JSON        the input, such as '{"text":"hello"}'
  --input-file FILE   the input from a file; - is standard input
  --example           the skill's own example
  --timeout DURATION  time limit of the run, such as 500ms, 30s, 2m (default 30s, at most 1h)
  --receipt FILE      write the signed receipt of the run; capstand verify FILE checks it
  --install           install the packages that the script of a skill needs, in its box
  --env NAME[=VALUE]  environment variable for the script; without a value, the one of this shell. Repeatable
  --secret NAME       the same for a secret of this shell's environment, masked in output and trace. Repeatable
  --host NAME         host that the script may reach, such as api.example.com:8443. Repeatable
  --json              print one JSON object in place of the script's output
  --help              this text

Exit code: the script's exit code, or 1 if it failed without one; 2 wrong usage or input; 3 not found; 130
interrupted (143 by SIGTERM). On a terminal, control characters of the script are written out (\\u001b) instead of sent.
`;

const OPTIONS = {
  input: { type: 'string' },
  'input-file': { type: 'string' },
  example: { type: 'boolean' },
  timeout: { type: 'string' },
  receipt: { type: 'string' },
  install: { type: 'boolean' },
  env: { type: 'string', multiple: true },
  secret: { type: 'string', multiple: true },
  host: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `capstand run`: prints the script's output to stdout and everything else to stderr. Returns the exit code. */
export async function runCommand(
  argv: string[],
  io: Pick<CommandIo, 'stdout' | 'stderr'>,
  deps: RunCommandDeps,
): Promise<number> {
  try {
    const { values, positionals } = parse(argv);
    if (values.help) {
      io.stdout.write(RUN_USAGE);
      return 0;
    }
    const ref = referenceOf(positionals);
    const { 'input-file': input_file, example, timeout } = values;
    const limits = timeout === undefined ? {} : { timeout_ms: durationMs(timeout) };
    const about = await aboutOf(deps, ref);
    const input = await readInput(about, { input: values.input, input_file, example });
    if (values.receipt !== undefined) await refuseUnwritable(values.receipt);
    const capability = await accepted(deps, ref, input, givenOf(values, deps.env ?? {}));
    if ((await capability.whyUnavailable()) === null) await checkInput(capability, input, OPERATOR.share);
    // Done before the run, so that its time is not in the trace.
    await deps.sandbox.selfTest();
    const receipt_key = values.receipt === undefined ? null : newReceiptKey();
    const printed = printer(io);
    const { result, receipt } = await deps.run(capability, {
      input,
      limits,
      caller: OPERATOR,
      record_content: true,
      ...defined({ on_output: values.json ? undefined : printed.write }),
      on_step: stepPrinter(io),
      signal: deps.signal,
      receipt: receipt_key === null ? undefined : { receipt_key, user_id: null },
    });
    printed.end();
    await deps.tracing.flush();
    const spans = await deps.listSpans(result.trace_id);
    if (values.json) tell(io.stdout, `${JSON.stringify(jsonOf(result, spans))}\n`);
    else if (io.stdout.isTTY && result.stdout !== '' && !result.stdout.endsWith('\n')) io.stdout.write('\n');
    tell(io.stderr, summary(result, spans));
    if (values.receipt !== undefined && receipt_key !== null)
      tell(io.stderr, await writeReceipt(deps, values.receipt, receipt, receipt_key));
    return exitCode(result, deps.signal);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const places = (error.errors ?? [])
      .map(({ pointer, detail }) => `  ${pointer || 'the input'} ${detail}\n`)
      .join('');
    tell(io.stderr, `capstand run: ${error.message}\n${places}`);
    return error.kind === 'not_found' || error.kind === 'gone' ? 3 : 2;
  }
}

/** The capability. Packages that its script needs are installed only if the operator allows it. */
async function accepted(
  { resolve, ask = null }: RunCommandDeps,
  ref: CapabilityRef,
  input: unknown,
  given: RunGiven,
): Promise<Capability> {
  const capability = await resolve(ref, OPERATOR, { input, given });
  const unavailable = given.install === true ? null : await capability.whyUnavailable();
  if (unavailable?.reason !== 'needs_install' || ask === null) return capability;
  if (!(await ask(`${unavailable.detail.split(' Accept ')[0]} Install them in its box?`))) return capability;
  return resolve(ref, OPERATOR, { input, given: Object.assign({}, given, { install: true }) });
}

interface GivenOptions {
  install?: boolean | undefined;
  env?: string[] | undefined;
  secret?: string[] | undefined;
  host?: string[] | undefined;
}

/** A secret is read from the environment only, because every program of the machine can read a command line. */
function givenOf({ install, env = [], secret = [], host = [] }: GivenOptions, own: NodeJS.ProcessEnv): RunGiven {
  const fromShell = (name: string): string => {
    const value = own[name];
    if (value === undefined) throw usage(`${name} is not set in this shell.`);
    return value;
  };
  const named = (name: string): string => {
    const fault = variableFault(name);
    if (fault !== null) throw usage(`${JSON.stringify(name)} ${fault}.`);
    return name;
  };
  const pairs = env.map((text) => {
    const [name, ...rest] = text.split('=') as [string, ...string[]];
    return [named(name), rest.length === 0 ? fromShell(name) : rest.join('=')] as const;
  });
  for (const name of host) {
    const fault = hostFault(name);
    if (fault !== null) throw usage(`--host ${name} ${fault}.`);
  }
  return {
    install: install === true,
    environment: Object.fromEntries(pairs),
    secrets: Object.fromEntries(secret.map((name) => [named(name), fromShell(name)])),
    hosts: host,
  };
}

/** Checked before anything runs, because a run may not be repeatable and its receipt would be lost. */
async function refuseUnwritable(file: string): Promise<void> {
  try {
    const known = await stat(file).catch(() => null);
    if (known?.isDirectory()) throw Object.assign(new Error('it is a directory'), { code: 'EISDIR' });
    await access(known === null ? dirname(resolve(file)) : file, constants.W_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const detail = `--receipt ${file} cannot be written (${code}). Nothing was run. Name a file in an existing directory.`;
    throw coreProblem('command.file_unavailable', detail, { reason: 'receipt_write', cause });
  }
}

async function writeReceipt(
  { readBundle }: RunCommandDeps,
  file: string,
  receipt: Ran['receipt'],
  receiptKey: Buffer,
): Promise<string> {
  if (receipt === null) return 'no receipt: nothing ran\n';
  const bundle = (await readBundle(receipt.id)) as Bundle;
  await writeFile(file, `${JSON.stringify(bundle, null, 2)}\n`).catch((cause: Error) => {
    throw coreProblem('command.file_unavailable', `${file} cannot be written: ${cause.message}.`, {
      reason: 'receipt_write',
      cause,
    });
  });
  const { index, size } = bundle.log_entry;
  return `receipt ${file}: entry ${index} of ${size}, its key ${receiptKey.toString('base64')}\n`;
}

/** The script's output: unchanged bytes, but made harmless on a terminal. */
function printer(io: Pick<CommandIo, OutputStream>) {
  const texts = { stdout: visibleText(), stderr: visibleText() };
  const write = (stream: OutputStream, chunk: Uint8Array) =>
    io[stream].write(io[stream].isTTY ? texts[stream].take(chunk) : chunk);
  const end = () => {
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = texts[stream].rest();
      if (rest !== '') io[stream].write(rest);
    }
  };
  return { write, end };
}

/** Each step of preparing a package once, as a line. */
function stepPrinter({ stderr }: Pick<CommandIo, 'stderr'>): (step: PackageStep) => void {
  let last: string | null = null;
  return ({ step }) => {
    if (step !== last) stderr.write(`${stepText({ step, bytes: 0 })} …\n`);
    last = step;
  };
}

const tell = (output: Output, text: string) => output.write(output.isTTY ? visible(text) : text);

/** As in shells: 128 plus the number of the signal that ended the run. */
function exitCode({ status, exit_code }: RunResult, signal: AbortSignal | undefined): number {
  if (status === 'cancelled' && signal?.aborted) return signal.reason === 'SIGTERM' ? 143 : 130;
  return exit_code ?? (status === 'completed' ? 0 : 1);
}

function parse(argv: string[]) {
  try {
    return parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    throw usage(`${(cause as Error).message.split('. ')[0]}.`, cause);
  }
}

/** Throws if the skill does not exist, before its input is checked. */
async function aboutOf({ findSkill, resolve }: RunCommandDeps, ref: CapabilityRef): Promise<InputFor> {
  const skill = ref.kind === 'skill' ? findSkill(ref.ref) : undefined;
  if (skill !== undefined || ref.kind === 'listing') return skill ?? { name: ref.ref, example: null };
  return { name: (await resolve(ref, OPERATOR)).name, example: null };
}

function referenceOf(positionals: string[]): CapabilityRef {
  const [reference, ...more] = positionals;
  if (reference === undefined) throw usage('Name what to run, such as skill/json-diff.');
  if (more.length > 0) throw usage(`One thing at a time: ${more.join(' ')} is too much.`);
  const slash = reference.indexOf('/');
  const [kind, ref] = [reference.slice(0, Math.max(0, slash)), reference.slice(slash + 1)];
  if (kind === 'listing' && ref.includes('/')) return { kind, ref };
  if (kind === 'skill' && ref !== '' && !ref.includes('/')) return { kind, ref };
  throw usage(
    `${reference} is not of the form skill/<name> or listing/<provider>/<id>` +
      `${slash < 0 ? `; did you mean skill/${reference}?` : '.'}`,
  );
}

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

function durationMs(text: string): number {
  const [, count, unit] = /^(\d{1,7})(ms|s|m|h)$/.exec(text) ?? [];
  const timeoutMs = Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  if (!(timeoutMs >= 1 && timeoutMs <= UNITS_MS.h))
    throw usage(`--timeout ${text} is not a duration of 1ms to 1h, such as 500ms, 30s or 2m.`);
  return timeoutMs;
}

const usage = (detail: string, cause?: unknown): Problem =>
  coreProblem('command.invalid', `${detail} See capstand run --help.`, { reason: 'usage', cause });

function summary({ error, trace_id, output_files, files_left_out }: RunResult, spans: StoredSpan[]): string {
  const files = [...output_files].map(([path, bytes]) => `output/${path} (${bytes.length} bytes)\n`).join('');
  const failure = error === null ? '' : `capstand run: ${error}\n`;
  const leftOut = files_left_out === 0 ? '' : `${files_left_out} more files of the output are left out\n`;
  return `${files}${leftOut}${failure}trace ${trace_id}\n${renderTree(spans)}`;
}

function jsonOf(
  { output_files, environment: { server: _, ...environment }, ...result }: RunResult,
  spans: StoredSpan[],
) {
  const files = [...output_files].map(([path, bytes]) => ({ path, size: bytes.length }));
  return { ...result, ...environment, output_files: files, spans };
}

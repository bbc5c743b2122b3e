import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { sha256 } from '../../../src/core/crypto/sha256.ts';
import { isProblem } from '../../../src/core/problem/problem.ts';
import { declaredHosts } from '../../../src/runtime/native/declared-hosts.ts';
import { refusalOf, runInBox } from '../../../src/runtime/native/native-run.ts';
import type { NativeGiven, NativeRan, NativeRefusal } from '../../../src/runtime/native/native-scripts.ts';
import { packagesDigest, type SkillNeeds } from '../../../src/runtime/native/needs.ts';
import { isSecretVariable, variableFault } from '../../../src/runtime/native/secret-variable.ts';
import { needsOf } from '../../../src/runtime/native/skill-needs.ts';
import { grantsOf } from '../../../src/runtime/packaged/host-grants.ts';
import { outputOf, type Verdict, verdictOf } from '../../../src/runtime/runs/result.ts';
import type { Context } from '../context.ts';
import { Failure, usage } from '../failure.ts';
import { within } from '../install/files.ts';
import { safe } from '../output.ts';
import type { Far } from '../progress.ts';
import { readFiles, readInput } from '../read-input.ts';
import { type Answers, askPerson, environmentPairs } from '../skill-values.ts';
import { secretPairs } from '../values.ts';
import { explained } from './explain.ts';
import { openLocalRuntime } from './open-local.ts';
import { type BegunRun, beginRun, endRun, endUnstarted } from './receipt.ts';
import { copyReceipt } from './run.ts';
import type { LocalRun } from './runs.ts';
import { sayEnd } from './say-end.ts';
import { type LocalConfig, readSettings, withRegistry } from './settings.ts';
import { type LocalLocks, openLocks } from './skill-locks.ts';
import type { LocalSkill } from './skill-of.ts';
import { checkHosts } from './values.ts';

/** `capstan run --local` of a skill: its script, natively in a box on this machine, with what its user gives it. */

interface LocalSkillAsked {
  ref: string;
  input: string | undefined;
  file: readonly string[];
  env: readonly string[];
  secret: readonly string[];
  host: readonly string[];
  install: boolean;
  dryRun: boolean;
  out: string | undefined;
  receipt: string | undefined;
}

const NOT_MEASURED = { cpu_ms: null, memory_bytes: null, processes: null };
const RUN_MS = 300_000;
const MOST_BYTES = 16 * 1_048_576;

export const runLocalSkill = (context: Context, found: LocalSkill, asked: LocalSkillAsked): Promise<void> =>
  explained(async () => {
    const { world } = context;
    const { skill, lock_key } = found;
    if (skill.execution_class !== 'scripted' || skill.entry === null) throw noScript(found, asked.ref);
    const needs = needsOf(skill);
    const locks = openLocks(world, lock_key);
    const config = await withRegistries(readSettings(world), context, needs);
    const given = await givenValues(context, asked);
    const json = (await readInput(world, asked.input)) ?? null;
    const installs = asked.install || (await isLocked(locks, needs));
    const held = { installs, names: new Set([...Object.keys(given.environment), ...Object.keys(given.secrets)]) };
    const refusal = refusalOf(skill, needs, config.skill_packages, held);
    if (asked.dryRun) return showNeeds(context, found, needs, refusal);
    if (refusal !== null) addAnswers(given, await answersTo(context, refusal, asked.ref));
    await checkInput(skill, json);
    const input = { json, files: await inputFiles(context, asked.file) };
    const ran = await context.during(skill.name, (tell) =>
      runOnce(context, { found, needs, locks, config, given, input, tell }),
    );
    if (asked.out !== undefined) await writeOutput(resolve(world.cwd, asked.out), ran.result.output_files);
    if (asked.receipt !== undefined) await copyReceipt(context, ran.run, asked.receipt);
    shown(context, found, ran);
  });

/** Whatever a user asked to run has a receipt, also if its files could not be fetched. */
export async function recordUnfetchedSkill(
  { world }: Pick<Context, 'world'>,
  asked: Pick<LocalSkillAsked, 'input' | 'dryRun'>,
  subject: BegunRun['subject'],
  error: unknown,
): Promise<void> {
  if (asked.dryRun) return;
  const json = (await readInput(world, asked.input)) ?? null;
  const begun = await beginRun(world, { subject, input: { tool: null, arguments: json } });
  await endUnstarted(world, begun, error);
}

function noScript({ skill, subject }: LocalSkill, ref: string): Failure {
  const fix =
    subject.listing === null
      ? 'Copy its folder to the skills of your agent, such as ~/.claude/skills.'
      : `Give it to your agent: capstan install ${ref}.`;
  const detail = `${skill.name} has no script to run: it is instructions for an agent with a language model.`;
  return new Failure('cli.skill', detail, { fix });
}

/** Before anything is fetched, as the service does. The library is loaded for skills with a schema only. */
async function checkInput({ name, input_schema }: LocalSkill['skill'], input: unknown): Promise<void> {
  if (input_schema === null) return;
  const { checkAgainst } = await import('../../../src/core/json-schema/check.ts');
  const checked = checkAgainst(input_schema, input);
  if ('unusable' in checked)
    throw new Failure('runs.unsupported', `The input schema of ${name} ${checked.unusable}; it is not run.`, {
      reason: 'schema_unusable',
      fix: 'Only its author can correct it.',
    });
  if (checked.errors.length === 0) return;
  const faults = checked.errors.slice(0, 5).map(({ pointer, detail }) => `${pointer || 'the input'} ${detail}`);
  throw usage(`The input does not match the schema of ${name}: ${faults.join('; ')}.`, 'Correct --input.');
}

async function withRegistries(config: LocalConfig, { world }: Context, { packages }: SkillNeeds): Promise<LocalConfig> {
  let complete = config;
  for (const registry_type of new Set(packages.map(({ ecosystem }) => ecosystem))) {
    const source = { registry_type, identifier: '', version: '', file_sha256: '', registry_base_url: '' };
    complete = await withRegistry(complete, world, source);
  }
  return complete;
}

/** `--env NAME` reads the environment of the user, so it may name a secret. `--env NAME=value` may not. */
async function givenValues(context: Context, asked: LocalSkillAsked): Promise<NativeGiven> {
  const hosts = checkHosts(asked.host);
  const shownSecret = asked.env.map((text) => /^([^=]+)=/s.exec(text)?.[1] ?? '').find(isSecretVariable);
  if (shownSecret !== undefined)
    throw usage(
      `--env ${shownSecret}=… would show the value to every program of this machine.`,
      `Use --secret ${shownSecret}=@file, or --env ${shownSecret} to take it from your environment.`,
    );
  const environment = await environmentPairs(context, asked.env);
  const secrets = await secretPairs(context, asked.secret);
  for (const name of Object.keys(environment).filter(isSecretVariable)) {
    secrets[name] = environment[name] as string;
    delete environment[name];
  }
  for (const name of [...Object.keys(environment), ...Object.keys(secrets)]) {
    const fault = variableFault(name);
    if (fault !== null) throw usage(`${name} ${fault}.`, 'Use the name that the skill declares.');
  }
  return { environment, secrets, hosts };
}

/** Packages that were accepted on this machine are locked. */
async function isLocked(locks: LocalLocks, needs: SkillNeeds): Promise<boolean> {
  const ecosystems = new Set(needs.packages.map(({ ecosystem }) => ecosystem));
  const found = await Promise.all([...ecosystems].map((each) => locks.find(each, packagesDigest(needs, each))));
  return found.every((lock) => lock !== null);
}

async function answersTo(context: Context, refusal: NativeRefusal, ref: string): Promise<Answers> {
  const { question, detail, reason } = refusal;
  if (question === undefined) throw new Failure(`run.${reason}`, detail, { fix: FIX_OF_MACHINE });
  if (!context.isAsking) {
    const flags = question.environment.map(({ name, secret }) =>
      secret ? `--secret ${name}=@file` : `--env ${name}=value`,
    );
    const install = question.packages.length > 0 ? ['--install'] : [];
    const fix = `capstan run --local ${[ref, ...install, ...flags].join(' ')}`;
    throw new Failure(`run.${reason}`, detail, { fix });
  }
  const answers = await askPerson(context, question);
  if (answers !== null) return answers;
  throw new Failure('run.declined', 'The packages were not accepted, so nothing ran.', {
    fix: 'Run it again to be asked again.',
  });
}

const FIX_OF_MACHINE = 'Install what is missing on this machine, or run it on the service, without --local.';

function addAnswers(given: NativeGiven, { environment, secrets }: Answers): void {
  Object.assign(given.environment, environment);
  Object.assign(given.secrets, secrets);
}

async function inputFiles({ world }: Context, given: readonly string[]): Promise<Map<string, Uint8Array>> {
  const files = await readFiles(world, given);
  return new Map(
    files.map(({ path, content_base64 }) => {
      // It becomes a path in the folder of the run.
      within('/input', path);
      return [path, Buffer.from(content_base64, 'base64')];
    }),
  );
}

interface Call {
  found: LocalSkill;
  needs: SkillNeeds;
  locks: LocalLocks;
  config: LocalConfig;
  given: NativeGiven;
  input: { json: unknown; files: Map<string, Uint8Array> };
  tell(far: Far): void;
}

interface Ran {
  run: LocalRun;
  result: NativeRan;
  verdict: Verdict;
}

async function runOnce(context: Context, call: Call): Promise<Ran> {
  const { world } = context;
  const { found, needs, locks, config, given, input, tell } = call;
  const { skill, subject } = found;
  const limits = { timeout_ms: RUN_MS, memory_mb: config.runtime_memory_mb, output_bytes: MOST_BYTES };
  const { runtime, close } = await openLocalRuntime(world, config, context.say);
  try {
    const begun = await beginRun(world, { subject, input: recorded(skill, input) });
    const order = { skill, needs, given, locks, limits, stdin: JSON.stringify(input.json), input_files: input.files };
    const result = await runInBox(runtime, {
      ...order,
      signal: world.signal,
      on_step: (step) => tell({ label: `${skill.name}: ${step}` }),
      on_output: (stream, chunk) => stream === 'stderr' && context.pass(Buffer.from(chunk).toString('utf8')),
    }).catch(async (error) => {
      await endUnstarted(world, begun, error);
      throw isProblem(error, 'packages.conflict', 'lock_changed') ? lockChanged(error.message, locks, needs) : error;
    });
    const verdict = verdictOf(result.status, result.exit_code, limits);
    const { isolation, hosts, usage: used, packages_installed, engine, exit_code } = result;
    const facts = Object.assign({ isolation, granted: grantsOf(given.hosts), hosts }, used ?? NOT_MEASURED);
    const run = await endRun(world, begun, {
      status: verdict.status === 'rejected' ? 'failed' : verdict.status,
      reason: verdict.reason,
      output: outputOf(result.stdout),
      engine,
      exit_code,
      facts: Object.assign(facts, { packages: packages_installed }),
    });
    if (world.signal.aborted) throw world.signal.reason;
    return { run, result, verdict };
  } finally {
    await close();
  }
}

/** What the receipt commits to: files by their digests. */
function recorded({ entry }: LocalSkill['skill'], { json, files }: Call['input']): BegunRun['input'] {
  const digests = [...files].map(([path, bytes]) => [path, sha256(bytes)] as const);
  return {
    tool: entry?.path ?? null,
    arguments: files.size === 0 ? json : { json, files: Object.fromEntries(digests) },
  };
}

function lockChanged(detail: string, locks: LocalLocks, needs: SkillNeeds): Failure {
  const files = (['npm', 'pypi'] as const)
    .filter((ecosystem) => needs.packages.some((need) => need.ecosystem === ecosystem))
    .map((ecosystem) => locks.fileOf(ecosystem, packagesDigest(needs, ecosystem)));
  return new Failure('packages.conflict', detail, {
    reason: 'lock_changed',
    fix: `To lock the current ones, delete the lock and accept them again: rm ${files.join(' ')}, then --install.`,
  });
}

async function writeOutput(dir: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [path, bytes] of files) {
    const file = within(dir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
}

function showNeeds(context: Context, { skill }: LocalSkill, needs: SkillNeeds, refusal: NativeRefusal | null): void {
  const { name, version, digest, entry } = skill;
  const { packages, programs, environment } = needs;
  const shownNeeds = {
    packages,
    programs: programs.map(({ any_of }) => any_of),
    environment,
    hosts: declaredHosts(skill),
  };
  const result = { name, version, digest, entry: entry?.path ?? null, needs: shownNeeds, missing: refusal };
  context.show(result, () => refusal?.detail ?? `Ready to run: ${name} ${version} ${digest}`);
}

function shown(context: Context, { skill, subject }: LocalSkill, { run, result, verdict }: Ran): void {
  const { isolation, hosts, exit_code, packages_installed, output_files, usage } = result;
  const value = {
    id: run.id,
    ref: subject.ref,
    name: skill.name,
    version: skill.version,
    digest: skill.digest,
    status: verdict.status,
    exit_code,
    output: run.output,
    error: verdict.error,
    output_files: [...output_files].map(([path, bytes]) => ({ path, size: bytes.length })),
    packages: packages_installed,
    isolation,
    hosts,
    resources: { cpu_ms: usage?.cpu_ms ?? null, memory_bytes: usage?.memory_bytes ?? null },
    receipt: run.receipt,
  };
  context.show(value, () => (typeof run.output === 'string' ? safe(run.output) : JSON.stringify(run.output, null, 2)));
  const what = { skill: `${skill.name} ${skill.version}` };
  sayEnd(context, { what, isolation, hosts, run, verdict });
}

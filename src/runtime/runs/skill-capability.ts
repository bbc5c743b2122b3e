import { wantedHosts } from '#core/mcp/packaged-servers.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import { ATTR, executeTool, runScript as runScriptSpan } from '#core/traces/conventions.ts';
import { hostsReached } from '#core/traces/package-attributes.ts';
import { inSpan } from '#core/traces/tracing.ts';
import type { RunOf, SkillGrants } from '#runtime/grants/open-grants.ts';
import { NO_GRANT } from '#runtime/grants/skill-grants.ts';
import { type NativeGiven, type NativeScripts, NOTHING_GIVEN } from '#runtime/native/native-scripts.ts';
import { noNeeds, packagesDigest, type SkillNeeds } from '#runtime/native/needs.ts';
import { grantsOf } from '#runtime/packaged/host-grants.ts';
import type { Sandbox, SandboxResult } from '#runtime/sandbox/sandbox.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type { Capability, ResolveKind, RunCaller, RunGiven, RunOrder, Unavailable } from './capability.ts';
import { capabilityUnknown } from './errors.ts';
import {
  emptyOutcome,
  NO_ENVIRONMENT,
  type Outcome,
  outputOf,
  type RunEnvironment,
  rejected,
  verdictOf,
} from './result.ts';
import { runScripted } from './scripted.ts';

export interface SkillDeps {
  sandbox: Sandbox;
  /** Runs skills of class `prompt`; null without a configured language model. */
  prompt: PromptRunner | null;
  /** Runs scripts that need packages, programs or modules that the sandbox lacks. Without it they do not run. */
  native?: NativeScripts | undefined;
  /** What users gave skills to run natively. Without it, only what is given with a run counts. */
  grants?: SkillGrants | undefined;
}

/** The class `prompt` as skills use it: a language model with the skill loaded by progressive disclosure. */
export interface PromptRunner {
  whyUnavailable(): Promise<Unavailable | null>;
  run(skill: Skill, order: RunOrder): Promise<Outcome>;
}

/** `skill`: a first-party skill by its name. */
export const resolveSkill =
  (deps: SkillDeps & { skills: Pick<SkillStore, 'get'> }): ResolveKind =>
  async ({ kind, ref }, caller, { given }) => {
    const skill = deps.skills.get(ref);
    if (skill === undefined) throw capabilityUnknown(`Skill ${JSON.stringify(ref.slice(0, 100))} not found.`);
    return skillCapability({ kind, ref }, skill, deps, caller, given);
  };

/** A skill, first-party or fetched, as something that can be run. */
export const skillCapability = (
  place: Pick<Capability, 'kind' | 'ref'>,
  skill: Skill,
  deps: SkillDeps,
  { user_id }: Pick<RunCaller, 'user_id'> = { user_id: null },
  given: RunGiven = {},
): Capability => skillFor({ skill, deps, given, of: { user_id, skill: place.ref } }, place);

/** A skill for one user. */
interface OwnSkill {
  skill: Skill;
  deps: SkillDeps;
  given: RunGiven;
  of: RunOf;
}

function skillFor(own: OwnSkill, place: Pick<Capability, 'kind' | 'ref'>): Capability {
  const { skill, deps } = own;
  return {
    ...place,
    skill,
    name: skill.name,
    version: skill.version,
    digest: skill.digest,
    execution_class: skill.execution_class,
    input_schema: skill.input_schema,
    repeatable: true,
    whyUnavailable: () => unavailableOf(own),
    span: {
      name: executeTool(skill.name),
      attributes: {
        [ATTR.operation]: 'execute_tool',
        [ATTR.tool_name]: skill.name,
        [ATTR.tool_type]: 'extension',
        [ATTR.skill_name]: skill.name,
        [ATTR.skill_version]: skill.version,
        [ATTR.skill_digest]: skill.digest,
      },
    },
    run: (order) => {
      if (skill.execution_class === 'scripted') return runScript(own, order);
      if (deps.prompt === null) throw new Error('A prompt skill was run without a model.');
      return deps.prompt.run(skill, order);
    },
  };
}

async function unavailableOf(own: OwnSkill): Promise<Unavailable | null> {
  const { skill, deps } = own;
  const { sandbox, prompt } = deps;
  if (skill.execution_class === 'prompt') return prompt === null ? modelRequired(skill) : prompt.whyUnavailable();
  if (skill.execution_class === 'mcp' || skill.entry === null)
    return { reason: 'unsupported', detail: `${skill.name} has no script that could run.` };
  const plan = await planOf(own);
  if (plan.how === 'refused') return plan.refusal;
  if (plan.how === 'native') return null;
  const { ok, code, reason } = await sandbox.selfTest();
  return ok ? null : { reason: code ?? 'sandbox_unsafe', detail: `Scripts are not run here. ${reason}` };
}

const modelRequired = ({ name }: Skill): Unavailable => ({
  reason: 'model_required',
  detail: `${name} is a prompt skill, which needs a language model, and none is configured.`,
});

type Plan =
  | { how: 'sandbox' }
  | { how: 'native'; native: NativeScripts; needs: SkillNeeds }
  | { how: 'refused'; refusal: Unavailable };

/** A script that only imports modules of its language runs in the sandbox if nothing can run natively. */
async function planOf({ skill, deps: { native, grants }, given, of }: OwnSkill): Promise<Plan> {
  if (native === undefined) return { how: 'sandbox' };
  const found = native.needsOf(skill);
  const stored = (await grants?.find(of)) ?? NO_GRANT;
  const names = [...Object.keys(stored.environment), ...stored.secrets, ...givenNames(given)];
  // The sandbox has neither variables nor a network.
  const wantsMore = names.length + stored.hosts.length + (given.hosts?.length ?? 0) > 0 && given.only_declared !== true;
  if (found === null && !wantsMore) return { how: 'sandbox' };
  const needs = found ?? noNeeds();
  const installs = given.install === true || stored.accepted === packagesDigest(needs);
  const refusal = await native.whyUnavailable(skill, needs, { installs, names: new Set(names) });
  if (refusal === null) return { how: 'native', native, needs };
  const { native_modules: _, ...others } = needs;
  const isOptional = !wantsMore && Object.values(others).every((list: readonly unknown[]) => list.length === 0);
  return isOptional ? { how: 'sandbox' } : { how: 'refused', refusal };
}

const givenNames = ({ environment, secrets }: RunGiven): string[] => [
  ...Object.keys(environment ?? {}),
  ...Object.keys(secrets ?? {}),
];

async function runScript(own: OwnSkill, order: RunOrder): Promise<Outcome> {
  const { skill, deps } = own;
  const plan = await planOf(own);
  if (plan.how === 'refused') return emptyOutcome(rejected(plan.refusal.reason, plan.refusal.detail));
  if (plan.how === 'native') return runNatively(own, plan, order);
  const { caller, input, input_files, limits, tracing, span, on_output, signal } = order;
  const entry = skill.entry as NonNullable<Skill['entry']>;
  const run = { share: caller.share, skill, entry, input, input_files, limits, on_output, signal };
  const result = await runScripted(deps.sandbox, tracing, span, run).catch(refusalOf);
  if ('detail' in result) return emptyOutcome(rejected(result.reason, result.detail));
  // No engine: the run was cancelled before it started.
  const [isolation, engine] = result.engine === '' ? [null, null] : [result.isolation, result.engine];
  return outcomeOf(result, limits, Object.assign({}, NO_ENVIRONMENT, { isolation, engine }));
}

async function runNatively(
  own: OwnSkill,
  { native, needs }: Extract<Plan, { how: 'native' }>,
  { caller, input, input_files, limits, tracing, span, on_output, signal }: RunOrder,
): Promise<Outcome> {
  const { skill, deps, of } = own;
  const entry = skill.entry as NonNullable<Skill['entry']>;
  const asked = {
    [ATTR.language]: entry.language,
    [ATTR.timeout_ms]: limits.timeout_ms,
    [ATTR.memory_mb]: limits.memory_mb,
  };
  const stdin = JSON.stringify(input);
  const given = await givenTo(own, needs);
  const locks = deps.grants?.locks(of, skill.digest) ?? null;
  const work = () =>
    inSpan(tracing.tracer, span, runScriptSpan(entry.path), asked, async (ownSpan) => {
      const ran = await native.run({
        share: caller.share,
        skill,
        needs,
        given,
        locks,
        stdin,
        input_files,
        limits,
        on_output,
        signal,
      });
      ownSpan.setAttributes({
        [ATTR.isolation]: ran.isolation,
        [ATTR.engine]: ran.engine,
        [ATTR.package_hosts]: hostsReached(ran.hosts),
      });
      if (ran.exit_code !== null) ownSpan.setAttribute(ATTR.exit_code, ran.exit_code);
      return ran;
    });
  const result = await work().catch(nativeRefusalOf);
  if ('detail' in result) return emptyOutcome(rejected(result.reason, result.detail));
  const { isolation, engine, hosts, usage, packages_installed } = result;
  await keepAnswers(own, needs, wantedHosts(hosts));
  const environment: RunEnvironment = Object.assign({}, NO_ENVIRONMENT, {
    isolation,
    engine,
    network: given.hosts.length === 0 ? 'none' : 'allow_list',
    hosts: { granted: grantsOf(given.hosts), uses: hosts },
    resources: usage,
    packages: packages_installed,
  });
  return outcomeOf(result, limits, environment);
}

/** Values that are given with the run take precedence over stored ones. */
async function givenTo({ deps, given, of }: OwnSkill, needs: SkillNeeds): Promise<NativeGiven> {
  const stored = (await deps.grants?.open(of)) ?? NOTHING_GIVEN;
  const isFor = (name: string) => given.only_declared !== true || needs.environment.includes(name);
  const own = Object.fromEntries(Object.entries(given.environment ?? {}).filter(([name]) => isFor(name)));
  const secrets: Record<string, string> = Object.assign({}, stored.secrets, given.secrets);
  // A name that was stored as a secret stays one.
  for (const name of Object.keys(own))
    if (Object.hasOwn(secrets, name)) {
      secrets[name] = own[name] as string;
      delete own[name];
    }
  const environment = Object.assign({}, stored.environment, own);
  return { environment, secrets, hosts: [...new Set([...stored.hosts, ...(given.hosts ?? [])])] };
}

/** So that the next run does not ask for the packages again, and its user can allow the hosts that it wanted. */
async function keepAnswers(
  { deps, given, of }: OwnSkill,
  needs: SkillNeeds,
  refused: readonly string[],
): Promise<void> {
  if (deps.grants === undefined) return;
  if (given.install === true && needs.packages.length > 0) await deps.grants.accept(of, packagesDigest(needs));
  await deps.grants.sawRefused(of, refused);
}

function outcomeOf(
  { status, exit_code, stdout, stderr, output_files, files_left_out }: Omit<SandboxResult, 'isolation' | 'boot_ms'>,
  limits: RunOrder['limits'],
  environment: RunEnvironment,
): Outcome {
  return {
    ...verdictOf(status, exit_code, limits),
    exit_code,
    output: outputOf(stdout),
    stdout,
    stderr,
    output_files,
    files_left_out,
    environment,
  };
}

/** Failures of installing packages or starting a box are results of the run. */
function nativeRefusalOf(error: unknown): { reason: string; detail: string } {
  if (error instanceof Problem && /^(?:packages\.|runs\.unavailable$|users\.quota_exceeded$)/.test(error.code))
    return { reason: error.reason ?? error.code.replace('.', '_'), detail: error.message };
  throw error;
}

/** A full sandbox (`runs.unavailable` (`sandbox_busy`)) is a result of the run. */
function refusalOf(error: unknown): { reason: string; detail: string } {
  if (isProblem(error, 'runs.unavailable') && error.reason?.startsWith('sandbox_'))
    return { reason: error.reason, detail: error.message };
  throw error;
}

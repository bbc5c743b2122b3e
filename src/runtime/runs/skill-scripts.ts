import { wantedHosts } from '#core/mcp/packaged-servers.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import { ATTR, runScript as runScriptSpan } from '#core/traces/conventions.ts';
import { hostsReached } from '#core/traces/package-attributes.ts';
import { inSpan } from '#core/traces/tracing.ts';
import type { RunOf, SkillGrants } from '#runtime/grants/open-grants.ts';
import { NO_GRANT, type SkillGrant } from '#runtime/grants/skill-grants.ts';
import {
  type NativeGiven,
  type NativeRan,
  type NativeRefusal,
  type NativeScripts,
  NOTHING_GIVEN,
} from '#runtime/native/native-scripts.ts';
import { noNeeds, packagesDigest, type SkillNeeds } from '#runtime/native/needs.ts';
import { grantsOf } from '#runtime/packaged/host-grants.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type { RunGiven, RunOrder, Script, ScriptRan, SkillScripts, Unavailable } from './capability.ts';
import { NO_ENVIRONMENT, type RunEnvironment } from './result.ts';
import { runScripted } from './scripted.ts';

/** Runs the scripts of one skill, in the sandbox or natively, for the skill itself and for language models. */

export interface ScriptDeps {
  sandbox: Sandbox;
  /** Runs scripts that need packages, programs or modules that the sandbox lacks. Without it they do not run. */
  native?: NativeScripts | undefined;
  /** What users gave skills to run natively. Without it, only what is given with a run counts. */
  grants?: SkillGrants | undefined;
}

/** A skill for one user. */
export interface OwnSkill {
  skill: Skill;
  deps: ScriptDeps;
  given: RunGiven;
  of: RunOf;
}

export const skillScripts = (own: OwnSkill): SkillScripts => ({
  canRun: async () => own.deps.native !== undefined || (await own.deps.sandbox.selfTest()).ok,
  whyUnavailable: (script) => whyUnavailable(own, script),
  run: (script, order) => runOne(own, script, order),
});

/** Of a skill without an owner, whose scripts run in the sandbox only. */
export const sandboxedScripts = (skill: Skill, sandbox: Sandbox): SkillScripts =>
  skillScripts({ skill, deps: { sandbox }, given: {}, of: { user_id: null, skill: '' } });

async function whyUnavailable(own: OwnSkill, script: Script): Promise<Unavailable | null> {
  const plan = await planOf(own, script);
  if (plan.how === 'refused') return plan.refusal;
  if (plan.how === 'native') return null;
  const { ok, code, reason } = await own.deps.sandbox.selfTest();
  return ok ? null : { reason: code ?? 'sandbox_unsafe', detail: `Scripts are not run here. ${reason}` };
}

interface NativePlan {
  how: 'native';
  native: NativeScripts;
  needs: SkillNeeds;
  /** Of the packages of the whole skill. */
  accepted: string;
}
type Plan = NativePlan | { how: 'sandbox' } | { how: 'refused'; refusal: Unavailable };

/** A script that only imports modules of its language runs in the sandbox if nothing can run natively. */
async function planOf({ skill, deps: { native, grants }, given, of }: OwnSkill, script: Script): Promise<Plan> {
  if (native === undefined) return { how: 'sandbox' };
  const found = native.needsOfScript(skill, script);
  const stored = (await grants?.find(of)) ?? NO_GRANT;
  const isAgreed = stored.agreed === skill.digest;
  const names = [...Object.keys(stored.environment), ...(isAgreed ? stored.secrets : []), ...givenNames(given)];
  const isWithheld = !isAgreed && stored.secrets.length + stored.hosts.length > 0;
  // The sandbox has neither variables nor a network.
  const wantsMore =
    (isWithheld || names.length + stored.hosts.length + (given.hosts?.length ?? 0) > 0) && given.only_declared !== true;
  if (found === null && !wantsMore) return { how: 'sandbox' };
  const needs = found ?? noNeeds();
  const accepted = packagesDigest(native.needsOf(skill) ?? noNeeds());
  const installs = given.install === true || stored.accepted === accepted;
  const refusal = await native.whyUnavailable(skill, needs, { installs, names: new Set(names) });
  if (isWithheld && (refusal === null || refusal.question !== undefined))
    return { how: 'refused', refusal: withAgreement(skill, stored, refusal) };
  if (refusal === null) return { how: 'native', native, needs, accepted };
  const { native_modules: _, ...others } = needs;
  const isOptional = !wantsMore && Object.values(others).every((list: readonly unknown[]) => list.length === 0);
  return isOptional ? { how: 'sandbox' } : { how: 'refused', refusal };
}

/** The question that lets another version than the one agreed to have the stored secrets and hosts, with what else it asks. */
function withAgreement({ name }: Skill, { secrets, hosts }: SkillGrant, refusal: NativeRefusal | null): Unavailable {
  const detail = `${name} has changed since you gave it ${[...secrets, ...hosts].join(', ')}. Save its hosts or a secret again to approve this version.`;
  const asked = refusal?.question?.environment ?? [];
  const others = secrets.filter((secret) => asked.every((variable) => variable.name !== secret));
  return {
    reason: refusal?.reason ?? 'missing_env',
    detail: refusal === null ? detail : `${refusal.detail} ${detail}`,
    question: {
      packages: refusal?.question?.packages ?? [],
      environment: [...asked, ...others.map((secret) => ({ name: secret, secret: true }))],
    },
  };
}

const givenNames = ({ environment, secrets }: RunGiven): string[] => [
  ...Object.keys(environment ?? {}),
  ...Object.keys(secrets ?? {}),
];

type Refused = { refused: Pick<Unavailable, 'detail'> & { reason: string } };

async function runOne(own: OwnSkill, script: Script, order: RunOrder): Promise<ScriptRan | Refused> {
  const plan = await planOf(own, script);
  if (plan.how === 'refused') return { refused: plan.refusal };
  if (plan.how === 'native') return runNatively(own, plan, script, order);
  const { caller, input, input_files, limits, tracing, span, on_output, signal } = order;
  const run = { share: caller.share, skill: own.skill, entry: script, input, input_files, limits, on_output, signal };
  const result = await runScripted(own.deps.sandbox, tracing, span, run).catch(refusalOf);
  if ('refused' in result) return result;
  // No engine: the run was cancelled before it started.
  const [isolation, engine] = result.engine === '' ? [null, null] : [result.isolation, result.engine];
  return { result, environment: Object.assign({}, NO_ENVIRONMENT, { isolation, engine }) };
}

async function runNatively(
  own: OwnSkill,
  plan: NativePlan,
  script: Script,
  order: RunOrder,
): Promise<ScriptRan | Refused> {
  const { limits, tracing, span } = order;
  const asked = {
    [ATTR.language]: script.language,
    [ATTR.timeout_ms]: limits.timeout_ms,
    [ATTR.memory_mb]: limits.memory_mb,
  };
  const given = await givenTo(own, plan.needs);
  const work = () =>
    inSpan(tracing.tracer, span, runScriptSpan(script.path), asked, async (ownSpan) => {
      const ran = await startNatively(own, plan, script, { order, given });
      ownSpan.setAttributes({
        [ATTR.isolation]: ran.isolation,
        [ATTR.engine]: ran.engine,
        [ATTR.package_hosts]: hostsReached(ran.hosts),
      });
      if (ran.exit_code !== null) ownSpan.setAttribute(ATTR.exit_code, ran.exit_code);
      return ran;
    });
  const result = await work().catch(nativeRefusalOf);
  if ('refused' in result) return result;
  const { isolation, engine, hosts, usage, packages_installed } = result;
  await keepAnswers(own, plan, wantedHosts(hosts));
  const environment: RunEnvironment = Object.assign({}, NO_ENVIRONMENT, {
    isolation,
    engine,
    network: given.hosts.length === 0 ? 'none' : 'allow_list',
    hosts: { granted: grantsOf(given.hosts), uses: hosts },
    resources: usage,
    packages: packages_installed,
  });
  return { result, environment };
}

function startNatively(
  { skill, deps, of }: OwnSkill,
  { native, needs }: NativePlan,
  script: Script,
  { order, given }: { order: RunOrder; given: NativeGiven },
): Promise<NativeRan> {
  const { caller, input, input_files, limits, on_output, signal } = order;
  return native.run({
    share: caller.share,
    skill: { ...skill, entry: script },
    needs,
    given,
    locks: deps.grants?.locks(of, skill.digest) ?? null,
    stdin: JSON.stringify(input),
    input_files,
    limits,
    on_output,
    signal,
  });
}

/** Values that are given with the run take precedence over stored ones. */
async function givenTo({ skill, deps, given, of }: OwnSkill, needs: SkillNeeds): Promise<NativeGiven> {
  const stored = (await deps.grants?.open(of, skill.digest)) ?? NOTHING_GIVEN;
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
  { needs, accepted }: NativePlan,
  refused: readonly string[],
): Promise<void> {
  if (deps.grants === undefined) return;
  if (given.install === true && needs.packages.length > 0) await deps.grants.accept(of, accepted);
  await deps.grants.sawRefused(of, refused);
}

/** Failures of installing packages or starting a box are results of the run. */
function nativeRefusalOf(error: unknown): Refused {
  if (error instanceof Problem && /^(?:packages\.|runs\.unavailable$|users\.quota_exceeded$)/.test(error.code))
    return { refused: { reason: error.reason ?? error.code.replace('.', '_'), detail: error.message } };
  throw error;
}

/** A full sandbox (`runs.unavailable` (`sandbox_busy`)) is a result of the run. */
function refusalOf(error: unknown): Refused {
  if (isProblem(error, 'runs.unavailable') && error.reason?.startsWith('sandbox_'))
    return { refused: { reason: error.reason, detail: error.message } };
  throw error;
}

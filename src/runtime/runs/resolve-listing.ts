import type { Kysely } from 'kysely';
import { HOUSE_IDS } from '#accounts/users/house-accounts.ts';
import { DETAIL_WAITS_MS, type EnsureDetail } from '#catalog/details/fetch-details.ts';
import type { LearnClass } from '#catalog/details/learn-class.ts';
import { launchesOf } from '#catalog/install/launches.ts';
import { remotesOf } from '#catalog/install/remotes.ts';
import { type GivenPackage, type ListedServer, packageWith, serverOf } from '#catalog/install/server-of.ts';
import { IMPORTED } from '#catalog/items/items.ts';
import { type ExecutionClass, PROVIDERS } from '#catalog/items/kinds.ts';
import { findLiveListing } from '#catalog/items/live-listing.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { ListingRow, Schema } from '#core/db/schema.ts';
import { isProblem, Problem, pointerTo } from '#core/problem/problem.ts';
import { plain } from '#core/tools/words.ts';
import { ATTR, executeTool } from '#core/traces/conventions.ts';
import type { Bundles } from '#runtime/bundles/bundles.ts';
import { requiredEnvironment, skillOfFiles } from '#runtime/bundles/skill-of-files.ts';
import { sourceOf } from '#runtime/bundles/source-of.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { isSecretVariable, variableFault } from '#runtime/native/secret-variable.ts';
import type { Capability, CapabilityRef, ResolveKind, ResolveOptions, RunCaller, Unavailable } from './capability.ts';
import { capabilityUnknown, takenDown, versionGone } from './errors.ts';
import { type McpDeps, mcpCapability } from './mcp.ts';
import { type PackagedDeps, packagedCapability } from './packaged-server.ts';
import { emptyOutcome, rejected } from './result.ts';
import { type SkillDeps, skillCapability } from './skill-capability.ts';

interface ListingDeps extends SkillDeps, McpDeps, PackagedDeps {
  db: Kysely<Schema>;
  clock: Clock;
  bundles: Bundles;
  ensureDetail: EnsureDetail;
  learnClass: LearnClass;
}

/** Of a server's tools, for callers without an account: comparing longer ones with the probe would hold the thread. */
const SHORT_LIST = { timeout_ms: 10_000, max_bytes: 256 * 1024 };

type Place = Pick<Capability, 'kind' | 'ref' | 'name' | 'version'>;

/** `listing`: `provider/external_id`, whose id may contain slashes. If it cannot run, `unavailable` has the reason. */
export const resolveListing =
  (deps: ListingDeps): ResolveKind =>
  async (ref, caller, given) => {
    const row = await deps.ensureDetail(await listingOf(deps, ref), DETAIL_WAITS_MS.use);
    const source = row.provider_id === 'clawhub' && ref.version !== undefined ? { ...row, version: ref.version } : row;
    if (ref.version !== undefined && source.version !== '' && source.version !== ref.version)
      throw versionGone(row.name, ref.version, row.version);
    const place: Place = {
      kind: ref.kind,
      ref: `${row.provider_id}/${row.external_id}`,
      name: row.name,
      version: source.version || 'unversioned',
    };
    const found =
      row.execution_class === 'mcp'
        ? await callableServer(deps, place, row, given, caller)
        : await skillOf(deps, place, source, ref, given, caller);
    return 'reason' in found ? blocked({ ...place, version: ref.version ?? place.version }, row, found, given) : found;
  };

async function listingOf({ db, clock }: ListingDeps, { ref }: CapabilityRef): Promise<ListingRow> {
  const slash = ref.indexOf('/');
  const [providerId, id] = [ref.slice(0, slash), ref.slice(slash + 1)];
  if (slash < 1 || id === '' || !(PROVIDERS as readonly string[]).includes(providerId))
    throw runtimeProblem(
      'runs.reference_invalid',
      `A listing is named as provider/external_id; the providers are ${PROVIDERS.join(', ')}.`,
      { reason: 'reference_malformed' },
    );
  const unknown = capabilityUnknown(`${providerId} has no listing with this id; ids are case-sensitive.`);
  try {
    return await findLiveListing(db, { provider: providerId, external_id: id }, clock.now());
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (isProblem(error, 'registry.gone', 'listing_taken_down')) throw takenDown(error);
    if (error.kind === 'gone')
      throw runtimeProblem('runs.gone', error.message, { reason: 'version_gone', extensions: error.extensions });
    throw error.kind === 'not_found' ? unknown : error;
  }
}

async function callableServer(
  deps: ListingDeps,
  place: Place,
  row: ListingRow,
  given: ResolveOptions,
  { user_id }: RunCaller,
): Promise<Capability | Unavailable> {
  const install = row.install === null ? null : JSON.parse(row.install);
  const target = serverOf(install, deps.packaged.refusal);
  const packaged = packageWith(install, deps.packaged.refusal, given.given?.environment ?? {});
  if (packaged !== null) return packagedServer(deps, place, packaged, target, given);
  if ('reason' in target) return target;
  return target.transport === 'stdio'
    ? packagedCapability(deps, place, { target, base: target, unavailable: null }, given)
    : mcpCapability(
        deps,
        place,
        target,
        given,
        user_id !== null && HOUSE_IDS.includes(user_id) ? SHORT_LIST : undefined,
      );
}

/** A task asks its owner for values that may be stored with it; for secrets, its owner makes a connection. */
function packagedServer(
  deps: ListingDeps,
  place: Place,
  { base, target, missing, faults }: GivenPackage,
  listed: ListedServer,
  given: ResolveOptions,
): Promise<Capability | Unavailable> | Unavailable {
  // A task that was made takes other values as its answer.
  if (faults.length > 0 && given.digest === undefined) throw valuesUnfit(faults);
  if (missing.length + faults.length === 0)
    return packagedCapability(deps, place, { target, base, unavailable: null }, given);
  const wrong = faults.map(({ name, detail }) => `${plain(name, 100)} ${detail}.`).join(' ');
  const detail = wrong || ('reason' in listed && 'detail' in listed ? listed.detail : '');
  const names = [...missing, ...faults].map(({ name }) => name);
  const isSecret = missing.some(({ secret }) => secret);
  if (isSecret || faults.some(({ is_field }) => !is_field) || !names.every(mayBeStored))
    return { reason: 'missing_env', detail };
  const question = { packages: [], environment: names.map((name) => ({ name, secret: false })) };
  const unavailable = { reason: 'missing_env', detail, question } as const;
  return packagedCapability(deps, place, { target, base, unavailable }, given);
}

const valuesUnfit = (faults: GivenPackage['faults']): Problem =>
  runtimeProblem('runs.input_invalid', 'The server does not take a value of the environment. See errors.', {
    reason: 'environment',
    errors: faults.map(({ name, detail }) => ({ pointer: `/environment${pointerTo(name.slice(0, 100))}`, detail })),
  });

const mayBeStored = (name: string): boolean => variableFault(name) === null && !isSecretVariable(name);

async function skillOf(
  deps: ListingDeps,
  { kind, ref }: Place,
  row: ListingRow,
  asked: CapabilityRef,
  given: ResolveOptions,
  caller: RunCaller,
): Promise<Capability | Unavailable> {
  const source = sourceOf(row);
  if ('unsupported' in source) return { reason: 'unsupported', detail: source.unsupported };
  try {
    const skill = skillOfFiles(await deps.bundles.files(source, caller.share, given.digest), row);
    // Lists do not say whether a skill has scripts; its files do.
    if (given.digest === undefined) await deps.learnClass(row, skill.execution_class);
    const capability = skillCapability({ kind, ref }, skill, deps, caller, given.given);
    const isNative = deps.native !== undefined;
    const missing = skill.execution_class === 'scripted' && !isNative ? requiredEnvironment(skill) : [];
    return missing.length === 0
      ? capability
      : { ...capability, whyUnavailable: async () => missingEnvironment(missing) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (isProblem(error, 'runs.unsupported', 'bundle_refused')) return { reason: 'unsupported', detail: error.message };
    if (isProblem(error, 'runs.gone', 'version_gone') && asked.version === undefined)
      return { reason: 'unsupported', detail: error.message };
    if (error.kind === 'upstream_failed' || error.kind === 'upstream_timeout')
      return { reason: 'unreachable', detail: `Its files cannot be fetched now: ${error.message}` };
    throw error;
  }
}

const missingEnvironment = (names: string[]): Unavailable => ({
  reason: 'missing_env',
  detail: `It requires the environment variables ${names.join(', ')}, which scripts do not get here.`,
});

/** The fix for users who want to run the listing. */
function nextStep({ reason }: Unavailable, row: ListingRow): string {
  const { provider_id, external_id, install: told, seen_run, homepage } = row;
  const listing = `{"listing":${JSON.stringify({ provider: provider_id, external_id })}}`;
  const install = `Install it in your own client: capstan install ${provider_id}/${external_id}.`;
  if (reason === 'unreachable') return 'Try again later.';
  if (reason === 'not_mcp') return 'Choose another listing.';
  if (told === null && seen_run === IMPORTED)
    return `The listing was imported; sync its provider first: capstand sync ${provider_id}.`;
  if (told === null)
    return homepage === '' ? 'Choose another listing.' : `Its page may say how it is used: ${homepage}.`;
  const stored = JSON.parse(told);
  const canConnect = remotesOf(stored).length > 0 || (reason === 'missing_env' && launchesOf(stored).length > 0);
  if (canConnect && (reason === 'auth_needed' || reason === 'missing_env'))
    return `Connect to it with POST /api/sessions/connections ${listing}, then run its tools as kind "connection".`;
  return install;
}

/** A listing that cannot run, pinned by its provider's record. */
function blocked(place: Place, row: ListingRow, found: Unavailable, given: ResolveOptions): Capability {
  const unavailable = { reason: found.reason, detail: `${found.detail} ${nextStep(found, row)}` };
  return {
    ...place,
    digest: given.digest ?? `sha256:${row.digest}`,
    execution_class: row.execution_class as ExecutionClass,
    input_schema: null,
    repeatable: true,
    whyUnavailable: async () => unavailable,
    span: {
      name: executeTool(place.name),
      attributes: { [ATTR.operation]: 'execute_tool', [ATTR.tool_name]: place.name },
    },
    run: async () => emptyOutcome(rejected(unavailable.reason, unavailable.detail)),
  };
}

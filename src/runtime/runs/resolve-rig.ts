import { userMessage } from '#core/llm/model.ts';
import { PLANNER_ID } from '#core/llm/settings.ts';
import { ATTR, invokeAgent } from '#core/traces/conventions.ts';
import type { ContextBlock } from '#runtime/context/context.ts';
import { mustHold, verifyLock } from '#runtime/rigs/lock-rig.ts';
import { inputSchemaOf, type Rig, withDefaults } from '#runtime/rigs/rig.ts';
import type { GatherParts } from '#runtime/rigs/rig-parts.ts';
import { storedRig } from '#runtime/rigs/stored-rig.ts';
import { ISOLATION_LEVELS } from '#runtime/sandbox/sandbox.ts';
import { uncounted } from './caller.ts';
import type { Capability, ResolveKind, RunOrder, Unavailable } from './capability.ts';
import { capabilityUnknown } from './errors.ts';
import { emptyOutcome, type Outcome, rejected } from './result.ts';
import { assemble } from './rig/assemble.ts';
import type { Assembled, RigDeps } from './rig/parts.ts';
import { rigPrompt, rigSystem } from './rig/rig-instructions.ts';
import { fitOutput } from './rig/rig-output.ts';
import { runPlanned } from './rig/run-planned.ts';
import { runWithModel } from './rig/run-with-model.ts';

/**
 * `rig`: one of the caller's own, by its id or name, at its newest version or the one asked for. Throws
 * `rigs.conflict` (`not_locked`), or `rigs.conflict` (`lock_broken`) if a part differs from the lock: then nothing runs.
 */
export const resolveRig =
  (deps: RigDeps): ResolveKind =>
  async ({ ref, version }, caller, { given }) => {
    const { user_id } = caller;
    if (user_id === null) throw capabilityUnknown('Sign in to use a rig.');
    const stored = await storedRig(deps.db, { user_id, ref }, version);
    let assembled: Assembled | undefined;
    const gather: GatherParts = async (rig, _user_id, modelId) => {
      assembled = await assemble(deps, rig, { ...caller, user_id }, modelId, given);
      return assembled.gathered;
    };
    const verified = await verifyLock({ db: deps.db, gather }, stored);
    mustHold(stored, verified);
    const { row, version: its } = stored;
    const { rig, lock } = verified;
    const place = { kind: 'rig', ref: row.id, name: row.name, version: its.version, digest: lock.digest } as const;
    return rigCapability(deps, place, { rig, assembled: assembled as Assembled, lock_digest: lock.digest });
  };

/** The current parts of rigs, to lock and verify them. */
export const gatherParts =
  (deps: RigDeps): GatherParts =>
  async (rig, user_id, model_id) =>
    (await assemble(deps, rig, uncounted(user_id), model_id)).gathered;

interface Ready {
  rig: Rig;
  lock_digest: string;
  assembled: Assembled;
}

/** A verified rig as a capability. */
export function rigCapability(
  deps: RigDeps,
  place: Pick<Capability, 'kind' | 'ref' | 'name' | 'version' | 'digest'>,
  { rig, lock_digest, assembled }: Ready,
): Capability {
  const modelId = assembled.gathered.parts.model?.id as string;
  const byPlanner = modelId === PLANNER_ID;
  return {
    ...place,
    execution_class: byPlanner ? 'scripted' : 'prompt',
    input_schema: inputSchemaOf(rig.spec.parameters),
    // Scripts have no external effects, but a model may call tools that have.
    repeatable: byPlanner || assembled.tools.every(({ capability }) => capability.repeatable),
    whyUnavailable: () => unavailableOf(deps, rig, assembled),
    span: {
      name: invokeAgent(place.name),
      attributes: {
        [ATTR.operation]: 'invoke_agent',
        [ATTR.agent_name]: place.name,
        [ATTR.agent_version]: place.version,
        [ATTR.rig_lock]: lock_digest,
      },
    },
    run: (order) => runRig(deps, rig, assembled, modelId, order),
  };
}

async function unavailableOf({ sandbox }: RigDeps, { spec }: Rig, { skills }: Assembled): Promise<Unavailable | null> {
  const scripted = skills.filter(({ skill }) => skill.execution_class === 'scripted');
  if (scripted.length === 0) return null;
  const asked = (ISOLATION_LEVELS as readonly string[]).indexOf(spec.sandbox.level ?? '');
  if (asked > ISOLATION_LEVELS.indexOf(sandbox.isolation))
    return {
      reason: 'sandbox_too_weak',
      detail: `The rig asks for ${spec.sandbox.level}, and this machine offers ${sandbox.isolation}.`,
    };
  const asking: Unavailable[] = [];
  for (const { capability } of scripted) {
    const unavailable = await capability.whyUnavailable();
    if (unavailable === null) continue;
    if (unavailable.question === undefined) return unavailable;
    asking.push(unavailable);
  }
  return together(asking);
}

/** The questions of all skills as one. */
function together(asking: readonly Unavailable[]): Unavailable | null {
  const [first] = asking.toSorted(
    (a, b) => Number(b.reason === 'needs_install') - Number(a.reason === 'needs_install'),
  );
  if (first === undefined) return null;
  const questions = asking.flatMap(({ question }) => question ?? []);
  const byName = new Map(questions.flatMap(({ environment }) => environment).map((each) => [each.name, each]));
  return {
    reason: first.reason,
    detail: asking.map(({ detail }) => detail).join(' '),
    question: { packages: questions.flatMap(({ packages }) => packages), environment: [...byName.values()] },
  };
}

/** The lower of the rig's and the caller's limits. */
async function runRig(
  deps: RigDeps,
  rig: Rig,
  assembled: Assembled,
  modelId: string,
  given: RunOrder,
): Promise<Outcome> {
  const { timeout_ms, memory_mb } = rig.spec.sandbox;
  const limits = {
    ...given.limits,
    timeout_ms: Math.min(timeout_ms, given.limits.timeout_ms),
    memory_mb: Math.min(memory_mb, given.limits.memory_mb),
  };
  const order = { ...given, limits, input: withDefaults(rig.spec.parameters, given.input) };
  if (modelId === PLANNER_ID) return fitOutput(rig, await runPlanned(rig, assembled, order), order.caller.share);
  const model = deps.models.pick(modelId);
  if (model === null) return emptyOutcome(rejected('model_missing', `${modelId} is no longer available.`));
  const system = (context: readonly ContextBlock[]) => rigSystem(rig, assembled, context);
  const message = userMessage(rigPrompt(rig, order.input));
  return runWithModel(deps, model, { spec: rig.spec, assembled, system, message }, order);
}

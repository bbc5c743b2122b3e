import { type Attempt, attempt, type Ran, type RunDeps, type RunEnd, type RunRequest, run } from './attempt.ts';
import type { AskedRef, Capability, ResolveCapability, ResolveOptions, RunCaller } from './capability.ts';
import { checkInput } from './check-input.ts';

/** Resolves and runs capabilities, for everything that runs something. */
export interface Runs {
  resolve: ResolveCapability;
  /** The same, with its input checked against its schema. */
  prepare(ref: AskedRef, caller: RunCaller, options: ResolveOptions & { input: unknown }): Promise<Capability>;
  run(capability: Capability, request: RunRequest): Promise<Ran>;
  attempt(order: Attempt): Promise<RunEnd | null>;
}

export const openRuns = (deps: RunDeps): Runs => ({
  resolve: deps.resolve,
  prepare: async (ref, caller, options) => {
    const capability = await deps.resolve(ref, caller, options);
    await checkInput(capability, options.input, caller.share);
    return capability;
  },
  run: (capability, request) => run(deps, capability, request),
  attempt: (order) => attempt(deps, order),
});

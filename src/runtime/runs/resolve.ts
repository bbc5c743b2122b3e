import { Problem } from '#core/problem/problem.ts';
import type { Capability, CapabilityKind, CapabilityRef, Given, ResolveCapability, RunCaller } from './capability.ts';

/** Finds what one kind of reference stands for. */
export type ResolveKind = (ref: CapabilityRef, caller: RunCaller, given: Given) => Promise<Capability>;

/** The door to everything that runs. Kinds of later features are given by whoever wires them. */
export function createResolve(kinds: Partial<Record<CapabilityKind, ResolveKind>>): ResolveCapability {
  return async (ref, caller, given = {}) => {
    const resolve = kinds[ref.kind];
    if (resolve === undefined) throw unsupported(ref.kind, Object.keys(kinds));
    // No name and no version holds these, and PostgreSQL refuses to keep some.
    if (/\p{Cc}/u.test(`${ref.ref}${ref.version ?? ''}`))
      throw capabilityUnknown('A reference holds no control characters.');
    const capability = await resolve(ref, caller, given);
    if (ref.version !== undefined && ref.version !== capability.version)
      throw versionGone(capability.name, ref.version, capability.version);
    return capability;
  };
}

const unsupported = (kind: string, known: string[]): Problem =>
  new Problem('unprocessable', 'execution.kind_unsupported', `A ${kind} cannot be run here; ${known.join(', ')} can.`);

export const versionGone = (name: string, asked: string, present: string): Problem =>
  new Problem(
    'gone',
    'execution.version_gone',
    `${name} is not there in version ${asked} any more; it is ${present} now.`,
  );

export const capabilityUnknown = (detail: string): Problem =>
  new Problem('not_found', 'execution.capability_unknown', detail);

/** What operators took down is not run, whoever pinned it; `cause` says what was found. */
export const takenDown = ({ message, extensions }: Pick<Problem, 'message' | 'extensions'>): Problem =>
  new Problem('gone', 'execution.taken_down', message, { extensions });

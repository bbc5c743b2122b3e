import type { Member } from '#catalog/identity/capabilities.ts';
import { findCapability, membersOf } from '#catalog/identity/capabilities.ts';
import { inOrder } from '#catalog/identity/survivorship.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { findRow } from '#catalog/items/read-items.ts';
import { type ReadRunnable, RUNNABLE_REASONS, type RunnableReason } from '#catalog/items/runnable.ts';
import type { Connection } from '#core/db/connection.ts';
import { Problem } from '#core/problem/problem.ts';
import { refuseTakenDown } from '#marketplace/moderation/refuse-taken-down.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import {
  type Capability,
  type CapabilityRef,
  canonicalRef,
  type ResolveCapability,
  type ResolveKind,
  type ResolveOptions,
  type RunCaller,
  UNAVAILABLE_REASONS,
} from '#runtime/runs/capability.ts';
import { capabilityUnknown, takenDown } from '#runtime/runs/errors.ts';
import { findListingAt } from './listings.ts';
import { capabilityGone } from './refusals.ts';
import { type ResolvePublishedDeps, resolvePublished } from './resolve-published.ts';

interface ResolveMarketplaceDeps extends ResolvePublishedDeps {
  connection: Pick<Connection, 'query'>;
  runnable: ReadRunnable;
  /** Resolves the listings and skills that a capability is made of. */
  resolve: ResolveCapability;
}

/** Each may be an unresponsive server or a download. */
const MOST_TRIED = 4;
/** Members whose rows and probes are read. */
const MOST_RANKED = 20;

/**
 * `capability`: a marketplace listing by its id, `publisher/name`, `skill/name` or `provider/external_id`. The result
 * is bound to one source: the published listing, or else the first provider listing that can be run.
 */
export function resolveMarketplace(deps: ResolveMarketplaceDeps): ResolveKind {
  const published = resolvePublished(deps);
  return async (asked, caller, given) => {
    const ref = canonicalRef(asked);
    if (ref.kind !== 'capability') return deps.resolve(ref, caller, given);
    // A yanked version cannot be part of another capability, even with its digest.
    const { input, part, given: values } = given;
    const ownGiven = part === undefined ? given : { input, part, given: values };
    if ((await findListingAt(deps.db, ref.ref)) !== undefined) return published(ref, caller, ownGiven);
    const members = await membersAt(deps, ref.ref);
    const own = members.find((member) => member.published !== null)?.published ?? null;
    if (own !== null) return published({ ...ref, ref: own.listing.id }, caller, ownGiven);
    return firstThatRuns(deps, await ranked(deps, versionOnly(members, ref)), { ref, caller, given });
  };
}

/** The listings of the current capability of this id, most trusted first. */
async function membersAt({ connection }: ResolveMarketplaceDeps, id: string): Promise<Member[]> {
  const row = id.includes('/') ? undefined : await findCapability(connection, id);
  if (row === undefined) throw capabilityUnknown('Listing not found. Ids and names are case-sensitive.');
  await refuseTakenDown(connection, row.stands_id).catch((error) => {
    throw error instanceof Problem ? takenDown(error) : error;
  });
  const members = inOrder(await membersOf(connection, [row.stands_id]));
  if (members.length === 0) throw runtimeProblem('runs.gone', capabilityGone(row).message, { reason: 'version_gone' });
  return members;
}

/** Sources list different versions of the same thing. */
function versionOnly(members: Member[], { ref, version }: CapabilityRef): Member[] {
  if (version === undefined) return members;
  const found = members.filter((member) => member.version === version);
  if (found.length > 0) return found;
  const known = [...new Set(members.map((member) => member.version || 'unversioned'))].slice(0, 10).join(', ');
  throw runtimeProblem('runs.gone', `${ref} has no version ${version}. Current versions: ${known}.`, {
    reason: 'version_gone',
  });
}

/** Recently responding servers first, then by trust. */
async function ranked({ db, runnable }: ResolveMarketplaceDeps, members: Member[]): Promise<Member[]> {
  const rank = async ({ provider_id, external_id }: Member): Promise<number> => {
    const row = await findRow(db, { provider_id, external_id });
    if (row === undefined || row.removed_at !== null) return RUNNABLE_REASONS.length + 1;
    const { reason } = (await runnable(row)).runnable;
    // Not probed yet: after those that responded, before those that did not.
    return reason === null ? 0.5 : RUNNABLE_REASONS.indexOf(reason as RunnableReason);
  };
  const some = await Promise.all(
    members.slice(0, MOST_RANKED).map(async (member) => ({ member, rank: await rank(member) })),
  );
  return some.toSorted((a, b) => a.rank - b.rank).map(({ member }) => member);
}

interface Order {
  ref: CapabilityRef;
  caller: RunCaller;
  given: ResolveOptions;
}

/** The first that can be run, or else the one closest to runnable with its reason. */
async function firstThatRuns(
  { resolve }: ResolveMarketplaceDeps,
  members: readonly Member[],
  { ref, caller, given }: Order,
): Promise<Capability> {
  const blocked: { capability: Capability; rank: number }[] = [];
  let failure: unknown;
  for (const { provider_id, external_id } of members.slice(0, MOST_TRIED)) {
    if (provider_id === OWN_SOURCE) continue;
    try {
      const listing: CapabilityRef = { kind: 'listing', ref: `${provider_id}/${external_id}`, version: ref.version };
      const capability = await resolve(listing, caller, given);
      const unavailable = await capability.whyUnavailable();
      if (unavailable === null && (given.digest === undefined || given.digest === capability.digest)) return capability;
      blocked.push({ capability, rank: unavailable === null ? -1 : UNAVAILABLE_REASONS.indexOf(unavailable.reason) });
    } catch (error) {
      // Removed or taken down since the capability was linked; another source may be available.
      if (!(error instanceof Problem) || (error.kind !== 'not_found' && error.kind !== 'gone')) throw error;
      failure ??= error;
    }
  }
  const nearest = blocked.toSorted((a, b) => a.rank - b.rank)[0];
  if (nearest !== undefined) return nearest.capability;
  throw failure ?? capabilityUnknown('Listing not found.');
}

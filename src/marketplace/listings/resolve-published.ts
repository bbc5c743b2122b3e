import type { Kysely } from 'kysely';
import { quoted } from '#catalog/checks/violation.ts';
import { shownOf } from '#catalog/items/version.ts';
import type { Schema } from '#core/db/schema.ts';
import type { PublishedVersionRow } from '#core/db/schema-publishing.ts';
import type { Problem } from '#core/problem/problem.ts';
import { ATTR, executeTool } from '#core/traces/conventions.ts';
import type { PublishedFile } from '#marketplace/publishing/check-files.ts';
import { requiredEnvironment, skillOfFiles } from '#runtime/bundles/skill-of-files.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { readChosen } from '#runtime/models/chosen-models.ts';
import type { Capability, ResolveKind, RunCaller, RunGiven, Unavailable } from '#runtime/runs/capability.ts';
import { capabilityUnknown, takenDown } from '#runtime/runs/errors.ts';
import { emptyOutcome, rejected } from '#runtime/runs/result.ts';
import type { Rigs } from '#runtime/runs/rig/open-rigs.ts';
import { type SkillDeps, skillCapability } from '#runtime/runs/skill-capability.ts';
import { digestOf } from '#runtime/skills/skill.ts';
import { readContents } from './contents.ts';
import { listingTakenDown } from './listing-gone.ts';
import { findListingAt, fullName, type ListingRow, listVersions } from './listings.ts';
import { storedFilesDiffer } from './refusals.ts';

export interface ResolvePublishedDeps extends SkillDeps {
  db: Kysely<Schema>;
  /** Runs rigs. */
  rigs: Pick<Rigs, 'ofFiles' | 'ofHarness'>;
}

/** Resolves a published listing by id or `publisher/name`, in the given, the pinned or the latest version. */
export const resolvePublished =
  (deps: ResolvePublishedDeps): ResolveKind =>
  async ({ ref, version }, caller, { digest, input, part, given }) => {
    const listing = await findListingAt(deps.db, ref);
    if (listing === undefined) throw capabilityUnknown('Listing not found.');
    // Checked before its contents are read, so that a part cannot contain its parent.
    if (part !== undefined && part !== listing.listing_type)
      throw capabilityUnknown(`${fullName(listing)} is a ${listing.listing_type}, and no ${part}.`);
    if (listing.taken_down !== null) throw takenDown(listingTakenDown(listing));
    const row = choose(listing, await listVersions(deps.db, [listing.id]), { version, digest });
    const contents = await readContents(deps.db, row, JSON.parse(row.files) as PublishedFile[]);
    const files = JSON.parse(row.files) as PublishedFile[];
    if (digestOf(files) !== row.digest) throw storedFilesDiffer();
    if (listing.listing_type === 'skill') return ofSkill(deps, { listing, row, contents }, caller, given);
    const pinned = { version: row.version, digest: row.digest };
    const place = { kind: 'capability', ref: listing.id, name: fullName(listing), ...pinned } as const;
    if (listing.listing_type === 'harness') {
      const model_id = caller.user_id === null ? null : await readChosen(deps.db, caller.user_id);
      return deps.rigs.ofHarness({ place, contents, input, model_id }, caller);
    }
    const found = await deps.rigs.ofFiles({ place, contents, given }, caller);
    return 'reason' in found ? blocked(listing, row, found) : found;
  };

interface Asked {
  version: string | undefined;
  digest: string | undefined;
}

/** A yanked version is available only with its digest. */
function choose(listing: ListingRow, versions: readonly PublishedVersionRow[], { version, digest }: Asked) {
  const name = fullName(listing);
  if (listing.status === 'unpublished') throw gone(`${name} was unpublished: ${quoted(listing.status_reason)}.`);
  const row =
    version === undefined
      ? shownOf(versions)
      : versions.find((publishedVersionRow) => publishedVersionRow.version === version);
  if (row === undefined || row === null)
    throw gone(`${name} has no ${version === undefined ? 'version to run' : `version ${version}`}.`);
  const isAvailable =
    row.status === 'live' || row.status === 'deprecated' || (row.status === 'yanked' && row.digest === digest);
  if (!isAvailable) throw gone(`${name} ${row.version} is ${row.status}: ${quoted(row.status_reason)}.`);
  return row;
}

const gone = (detail: string): Problem => runtimeProblem('runs.gone', detail, { reason: 'version_gone' });

interface PublishedSkill {
  listing: ListingRow;
  row: PublishedVersionRow;
  contents: ReadonlyMap<string, Uint8Array>;
}

function ofSkill(
  deps: SkillDeps,
  { listing, row, contents }: PublishedSkill,
  caller: RunCaller,
  given: RunGiven | undefined,
): Capability {
  const { description, version, license, execution_class } = row;
  const files = skillOfFiles(contents, { name: listing.name, description, version, license });
  if (files.digest !== row.digest) throw storedFilesDiffer();
  const skill = { ...files, execution_class: classOf(execution_class) };
  const capability = skillCapability({ kind: 'capability', ref: listing.id }, skill, deps, caller, given);
  const name = fullName(listing);
  const isNative = deps.native !== undefined;
  const missing = execution_class === 'scripted' && !isNative ? requiredEnvironment(skill) : [];
  if (missing.length === 0) return { ...capability, name };
  const detail = `The script requires the environment variables ${missing.join(', ')}, which the sandbox does not provide.`;
  return { ...capability, name, whyUnavailable: async () => ({ reason: 'missing_env', detail }) };
}

const classOf = (text: string): Capability['execution_class'] => text as Capability['execution_class'];

/** Resolved, but cannot be run here. */
function blocked(
  listing: ListingRow,
  { version, digest, execution_class }: PublishedVersionRow,
  unavailable: Unavailable,
): Capability {
  const name = fullName(listing);
  return {
    kind: 'capability',
    ref: listing.id,
    name,
    version,
    digest,
    execution_class: classOf(execution_class),
    input_schema: null,
    repeatable: true,
    whyUnavailable: async () => unavailable,
    span: { name: executeTool(name), attributes: { [ATTR.operation]: 'execute_tool', [ATTR.tool_name]: name } },
    run: async () => emptyOutcome(rejected(unavailable.reason, unavailable.detail)),
  };
}

import type { Static } from 'typebox';
import type { Member } from '#catalog/identity/capabilities.ts';
import { membersOf, redirectingTo } from '#catalog/identity/capabilities.ts';
import { inOrder, mergeMembers, relatedMembers } from '#catalog/identity/survivorship.ts';
import { itemPath } from '#catalog/items/item-path.ts';
import type { ProviderId } from '#catalog/items/kinds.ts';
import { builtInName, OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { findRow } from '#catalog/items/read-items.ts';
import { RUNNABLE_REASONS, type RunnableReason } from '#catalog/items/runnable.ts';
import { resemblanceOfId } from '#catalog/search/answer/resemblance.ts';
import type { CapabilityRow } from '#core/db/schema-capabilities.ts';
import { defined } from '#core/defined.ts';
import { builtInMember } from '#marketplace/documents/built-in-skills.ts';
import { documentOf } from '#marketplace/documents/document.ts';
import { readFacts } from '#marketplace/documents/read-documents.ts';
import { foundFlags } from '#marketplace/moderation/found-flags.ts';
import type { CapabilityStanding } from '#marketplace/moderation/standing-of.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type { MarketplaceDeps } from './deps.ts';
import { capabilityTakenDown } from './refusals.ts';
import { type CapabilityMember, type Flag, type Listing, pathOf } from './shapes.ts';

/** The detail of a capability: its members, their evidence, and whether it can be run. */

type Deps = Pick<MarketplaceDeps, 'db' | 'connection' | 'runnable' | 'skills' | 'index' | 'has_model'>;

/** Maximum number of members for which `runnable` is read. */
const MAX_RUNNABLE = 10;

/** Null if no provider lists it any more. */
export async function capabilityDetail(deps: Deps, id: string) {
  const known = (await readFacts(deps.connection, [id], deps.has_model))(id);
  if (known.standing.takedown !== null) throw capabilityTakenDown(id, known.standing.takedown);
  const skill = deps.skills.skills.find(({ name }) => name === builtInName(id));
  const members = skill === undefined ? inOrder(await membersOf(deps.connection, [id])) : [builtInMember(skill)];
  if (members.length === 0) return null;
  const { wire } = documentOf(id, members, known);
  const { homepage, repository, provenance } = mergeMembers(members);
  const rows = new Map((await redirectingTo(deps.connection, id)).map((row) => [row.id, row]));
  const related = new Set(relatedMembers(members));
  const shown = await Promise.all(
    members.map((member, at) =>
      memberOf(deps, member, { row: rows.get(member.id), is_copy: !related.has(member) }, at < MAX_RUNNABLE),
    ),
  );
  const published = members.find((member) => member.published !== null)?.published ?? null;
  const best = bestOf(shown);
  return {
    published,
    detail: {
      ...wire,
      homepage,
      repository,
      provenance,
      members: shown,
      flags: flagsOf(known.standing, wire.verification),
      featured_because: known.featured?.reason ?? null,
      resembles: resemblanceOfId(deps.index.newest(), id),
      runnable: best,
      ...defined({ run: skill === undefined ? undefined : runOf(skill) }),
      links: {
        self: pathOf(id),
        ...defined({
          skill: skill === undefined ? undefined : skillPath(skill.name),
          item: placeOf({ members: shown, runnable: best })?.links.self,
        }),
      },
    },
  };
}

interface Places {
  members: readonly Static<typeof CapabilityMember>[];
  runnable: { via: { provider: string; external_id: string } } | null;
}

/** The provider's listing to show: the one closest to running, or else the most trusted one. */
export function placeOf({ members, runnable }: Places): Static<typeof CapabilityMember> | undefined {
  const via = members.find(
    ({ provider, external_id }) => provider === runnable?.via.provider && external_id === runnable.via.external_id,
  );
  return via ?? members.find(({ provider }) => provider !== OWN_SOURCE);
}

/** Flags by operators first, then by the checks, then by providers. */
const flagsOf = ({ flags }: CapabilityStanding, verification: Listing['verification']): Flag[] => [
  ...flags.map(({ kind, rule, reason, at }) => ({ kind, rule, reason, at, by: 'operator' })),
  ...foundFlags(verification),
];

const runOf = ({ example }: Skill) => ({
  detail: 'Runs as a task of kind `skill`, with its name as ref.',
  input: example?.input ?? {},
});

const skillPath = (name: string): string => `/api/skills/${name}`;

async function memberOf(
  deps: Deps,
  member: Member,
  { row, is_copy }: { row: CapabilityRow | undefined; is_copy: boolean },
  isLookedAt: boolean,
): Promise<Static<typeof CapabilityMember>> {
  const {
    provider_id: provider,
    external_id,
    name,
    description,
    version,
    author,
    license,
    homepage,
    repository,
    downloads,
    stars,
  } = member;
  const isOwn = provider === OWN_SOURCE;
  return {
    id: member.id,
    provider: provider as Static<typeof CapabilityMember>['provider'],
    external_id,
    name,
    description,
    version,
    author,
    license,
    homepage,
    repository,
    is_copy,
    downloads,
    stars,
    updated_at: member.external_updated_at,
    confidence: row === undefined || row.id === row.stands_id ? 1 : row.confidence,
    evidence: JSON.parse(row?.evidence || '[]'),
    runnable: isOwn || !isLookedAt ? null : await runnableOf(deps, provider as ProviderId, external_id),
    links: { self: linkOf(member) },
  };
}

function linkOf({ id, provider_id, external_id }: Member): string {
  const name = builtInName(id);
  if (name !== null) return skillPath(name);
  return provider_id === OWN_SOURCE ? pathOf(external_id) : itemPath(provider_id, external_id);
}

async function runnableOf({ db, runnable }: Deps, provider_id: ProviderId, external_id: string) {
  const row = await findRow(db, { provider_id, external_id });
  if (row === undefined || row.removed_at !== null) return null;
  const { reason, detail, checked_at } = (await runnable(row)).runnable;
  return { reason, detail, checked_at };
}

/** The state of the member that is closest to runnable. */
function bestOf(members: readonly Static<typeof CapabilityMember>[]) {
  const known = members.filter(({ runnable }) => runnable !== null && runnable.reason !== null);
  const rank = ({ runnable }: (typeof known)[number]) => RUNNABLE_REASONS.indexOf(runnable?.reason as RunnableReason);
  const best = known.toSorted((a, b) => rank(a) - rank(b))[0];
  if (best === undefined || best.runnable === null) return null;
  const { provider, external_id } = best;
  return { ...best.runnable, via: { provider, external_id } };
}

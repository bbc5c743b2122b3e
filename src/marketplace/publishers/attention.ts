import type { Static } from 'typebox';
import type { OwnershipClaim } from '#marketplace/claims/shapes.ts';
import type { CapabilityStanding, Measure } from '#marketplace/moderation/standing-of.ts';
import type { Attention, OwnListing } from './contract.ts';

/** What a publisher should answer, the most urgent first. Pure. */

export interface Watched {
  shown: Static<typeof OwnListing>;
  standing: CapabilityStanding;
  /** Id of its current capability. */
  capability_id: string;
}

type NamedClaim = Static<typeof OwnershipClaim> & { name: string };
type Entry = Static<typeof Attention>;

export interface ClaimedCapability {
  id: string;
  name: string;
  standing: CapabilityStanding;
}

interface Known {
  listings: readonly Watched[];
  claims: readonly NamedClaim[];
  claimed: readonly ClaimedCapability[];
  now_ms: number;
}

const DAY_MS = 86_400_000;
/** How long a claim may fail, or wait for its file. */
const CLAIM_MS = 7 * DAY_MS;
const MOST = 100;
/** The most urgent first. */
const ORDER: readonly Entry['kind'][] = [
  'taken_down',
  'flagged',
  'claim_failing',
  'reported',
  'claim_pending',
  'findings',
];

export function attentionOf({ listings, claims, claimed, now_ms }: Known): Entry[] {
  const found = [
    ...listings.flatMap(({ shown, standing, capability_id }) => [
      ...measuresOf({ id: capability_id, name: shown.name }, standing),
      ...reported(shown, capability_id),
      ...findings(shown),
    ]),
    ...claimed.flatMap((claim) => measuresOf(claim, claim.standing)),
    ...claims.flatMap((claim) => claimEntries(claim, now_ms)),
  ];
  return found
    .toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .slice(0, MOST);
}

/** An action whose appeal is open or decided needs no answer. */
function measuresOf({ id, name }: { id: string; name: string }, { takedown, flags }: CapabilityStanding): Entry[] {
  const entry = (kind: Entry['kind'], { id: measure_id, reason, at }: Measure): Entry => ({
    kind,
    id,
    name,
    detail: reason,
    at,
    measure_id,
  });
  return [
    ...(takedown === null || takedown.appeal !== 'none' ? [] : [entry('taken_down', takedown)]),
    ...flags.filter(({ appeal }) => appeal === 'none').map((flag) => entry('flagged', flag)),
  ];
}

const reported = ({ open_reports, name, updated_at }: Static<typeof OwnListing>, id: string): Entry[] =>
  open_reports === 0
    ? []
    : [
        {
          kind: 'reported',
          id,
          name,
          detail: `${open_reports === 1 ? 'A report is' : `${open_reports} reports are`} open. An operator decides; a new version can settle it.`,
          at: updated_at,
          measure_id: null,
        },
      ];

const findings = ({ findings: count, id, name, status, taken_down, updated_at }: Static<typeof OwnListing>): Entry[] =>
  count === 0 || status !== 'live' || taken_down
    ? []
    : [
        {
          kind: 'findings',
          id,
          name,
          detail: `The checks found ${count === 1 ? 'one thing' : `${count} things`} in the shown version.`,
          at: updated_at,
          measure_id: null,
        },
      ];

function claimEntries(claim: NamedClaim, nowMs: number): Entry[] {
  const { capability_id: id, status, failing_since, created_at } = claim;
  const name = claim.name || id;
  const dayAfter = (time: string): string => new Date(Date.parse(time) + CLAIM_MS).toISOString().slice(0, 10);
  if (status === 'verified' && failing_since !== null)
    return [
      {
        kind: 'claim_failing',
        id,
        name,
        detail: `Its repository no longer confirms your claim, which ends on ${dayAfter(failing_since)}.`,
        at: failing_since,
        measure_id: null,
      },
    ];
  if (status !== 'pending' || Date.parse(created_at) + CLAIM_MS < nowMs) return [];
  return [
    {
      kind: 'claim_pending',
      id,
      name,
      detail: `Your claim is waiting for its file until ${dayAfter(created_at)}.`,
      at: created_at,
      measure_id: null,
    },
  ];
}

import { createHash } from 'node:crypto';
import { severityOf } from '#catalog/checks/finding-severity.ts';
import { distinct } from '#catalog/checks/findings.ts';
import type { Violation } from '#catalog/checks/violation.ts';
import type { Member } from '#catalog/identity/capabilities.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { isAgainst, verdictsIn } from '#catalog/items/verdicts.ts';
import {
  type Finding,
  isHeldAgainst,
  LEVELS,
  type Level,
  type LookedAt,
  type UpstreamVerdict,
  type VerificationSummary,
} from '#catalog/items/verification.ts';
import { newestOf } from '#catalog/items/version.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { PublishedVersionRow } from '#core/db/schema-publishing.ts';
import { DAY_MS } from './caller-weight.ts';
import { checkListing } from './check-listing.ts';

/** What was looked at of a listing, what was found in it, and the level that follows from both. Pure. */

export interface Examined {
  looked_at: LookedAt[];
  findings: Finding[];
  upstream: UpstreamVerdict[];
  /** When what was looked at last changed or was looked at. */
  checked_at: string;
  /** Until when having looked counts; null where what was looked at cannot change. */
  expires_at: string | null;
  /** Whether what was looked at may be something else by now: its findings count, and it gives no level. */
  is_lapsed: boolean;
  /** What it held: the findings of anything else have to be overruled again. */
  pin: string;
}

export type Examinable = Pick<
  Member,
  | 'provider_id'
  | 'external_id'
  | 'name'
  | 'description'
  | 'author'
  | 'install'
  | 'license'
  | 'verdicts'
  | 'changed_at'
  | 'published'
  | 'tools'
>;

/** A server shows others tools tomorrow: after so long without a visit nothing is known of them. */
export const TOOLS_HOLD_MS = 30 * DAY_MS;

export function examine(examinable: Examinable): Examined {
  if (examinable.published !== null) return examinePublished(newestOf(examinable.published.versions));
  // Carried by the service itself: its files come with the program; a test holds them to the grave rules.
  if (examinable.provider_id === OWN_SOURCE)
    return {
      ...NOTHING_FOUND,
      looked_at: ['files'],
      checked_at: examinable.changed_at,
      pin: `carried ${examinable.changed_at}`,
    };
  const { tools } = examinable;
  const upstream = verdictsIn(examinable.verdicts).map((verdict) => ({
    source: examinable.provider_id,
    external_id: examinable.external_id,
    ...verdict,
    noted_at: examinable.changed_at,
    overruled: null,
  }));
  return {
    looked_at: tools === null ? ['record'] : ['record', 'tools'],
    findings: distinct([...checkListing(examinable), ...(tools?.findings ?? [])]),
    upstream,
    checked_at: tools?.checked_at ?? examinable.changed_at,
    is_lapsed: tools?.is_lapsed ?? false,
    expires_at: tools === null ? null : isoTime(Date.parse(tools.checked_at) + TOOLS_HOLD_MS),
    pin: pinOf([
      examinable.name,
      examinable.description,
      examinable.author,
      examinable.install,
      tools?.hash ?? null,
      examinable.verdicts,
    ]),
  };
}

const NOTHING_FOUND = { findings: [], upstream: [], expires_at: null, is_lapsed: false };

const pinOf = (held: readonly (string | null)[]): string =>
  `sha256:${createHash('sha256').update(JSON.stringify(held)).digest('hex')}`;

/** Of the version that is shown: its files were checked whole before they were taken, and never change. Rules may. */
export function examinePublished({
  findings,
  digest,
  created_at,
  findings_at,
}: Pick<PublishedVersionRow, 'findings' | 'digest' | 'created_at' | 'findings_at'>): Examined {
  return {
    ...NOTHING_FOUND,
    looked_at: ['files'],
    findings: distinct((JSON.parse(findings) as Violation[]).map(ofViolation)),
    checked_at: findings_at ?? created_at,
    pin: digest,
  };
}

const ofViolation = ({ rule, path, line, detail }: Violation): Finding => ({
  rule,
  severity: severityOf(rule),
  place: `${path}:${line}`,
  detail,
  overruled: null,
});

/** What runs have shown. */
interface Shown {
  level: Level;
  since: string | null;
  expires_at: string | null;
}

/** With the reason where an operator overruled what was found in just this. */
export const withOverrule = (seen: Examined, reason: string | undefined): Examined =>
  reason === undefined
    ? seen
    : {
        ...seen,
        findings: seen.findings.map((found) => ({ ...found, overruled: reason })),
        upstream: seen.upstream.map((said) => (isAgainst(said) ? { ...said, overruled: reason } : said)),
      };

/** Of one listing or more of one capability; `runs` is the best that any of them has shown. */
export function judge(all: readonly Examined[], runs: Shown | null, now: string): VerificationSummary {
  const findings = distinct(all.flatMap((examined) => examined.findings));
  const upstream = all.flatMap((examined) => examined.upstream).slice(0, MOST_VERDICTS);
  const good = all.filter(
    (examined) =>
      isSubstantive(examined) &&
      isClean(examined) &&
      !examined.is_lapsed &&
      (examined.expires_at === null || examined.expires_at > now),
  );
  const best = good.toSorted((a, b) => (a.checked_at < b.checked_at ? -1 : 1))[0];
  const looked = new Set(all.flatMap((examined) => examined.looked_at));
  if (runs !== null) looked.add('runs');
  const seen = { looked_at: ORDER.filter((name) => looked.has(name)), findings, upstream, checked_at: newest(all) };
  const is_against = isHeldAgainst({ findings, upstream });
  if (is_against || (runs === null && best === undefined))
    return { level: LEVELS[0], verified: false, since: null, expires_at: null, ...seen };
  if (runs !== null) return { ...runs, verified: LEVELS.indexOf(runs.level) >= LEVELS.indexOf('reproduced'), ...seen };
  const { checked_at, expires_at } = best as Examined;
  return { level: 'checked', verified: false, since: checked_at, expires_at, ...seen };
}

const ORDER: readonly LookedAt[] = ['record', 'tools', 'files', 'runs'];
const MOST_VERDICTS = 20;

const isSubstantive = ({ looked_at }: Examined): boolean => looked_at.some((name) => name !== 'record');

const isClean = ({ findings }: Examined): boolean =>
  findings.every(({ severity, overruled }) => severity === 'note' || overruled !== null);

const newest = (all: readonly Examined[]): string =>
  all.map(({ checked_at }) => checked_at).reduce((a, b) => (a > b ? a : b));

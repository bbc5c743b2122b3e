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
import { sha256 } from '#core/crypto/sha256.ts';
import type { PublishedVersionRow } from '#core/db/schema-publishing.ts';
import { DAY_MS } from './caller-weight.ts';
import { checkListing } from './check-listing.ts';

/** What was examined of a listing, the findings, and the resulting level. Pure. */

export interface Examined {
  looked_at: LookedAt[];
  findings: Finding[];
  upstream: UpstreamVerdict[];
  /** When the examined content last changed or was last examined. */
  checked_at: string;
  /** When the examination expires; null if the content cannot change. */
  expires_at: string | null;
  /** Whether the content may have changed since: findings count, but it gives no level. */
  is_lapsed: boolean;
  /** Identifies the examined content. An overrule applies to this content only. */
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

/** Tools may change at any time, so after this time without a probe they are considered unknown. */
export const TOOLS_HOLD_MS = 30 * DAY_MS;

export function examine(examinable: Examinable): Examined {
  if (examinable.published !== null) return examinePublished(newestOf(examinable.published.versions));
  // Built-in skills ship with the program; a test checks them for grave findings.
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

const pinOf = (held: readonly (string | null)[]): string => `sha256:${sha256(JSON.stringify(held))}`;

/** Examines the shown version. Its files were checked in full and never change, but the rules may. */
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

/** The level shown by runs. */
interface Shown {
  level: Level;
  since: string | null;
  expires_at: string | null;
}

/** Applies an operator's overrule for exactly this content. */
export const withOverrule = (seen: Examined, reason: string | undefined): Examined =>
  reason === undefined
    ? seen
    : {
        ...seen,
        findings: seen.findings.map((found) => ({ ...found, overruled: reason })),
        upstream: seen.upstream.map((said) => (isAgainst(said) ? { ...said, overruled: reason } : said)),
      };

/** The verification of one or more listings of a capability; `runs` is the best level by runs of any of them. */
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
  const heldAgainst = isHeldAgainst({ findings, upstream });
  if (heldAgainst || (runs === null && best === undefined))
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

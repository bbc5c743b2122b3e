import { membersOf } from '#catalog/identity/capabilities.ts';
import { relatedMembers } from '#catalog/identity/survivorship.ts';
import { isAgainst } from '#catalog/items/verdicts.ts';
import { isHeldAgainst, type VerificationSummary } from '#catalog/items/verification.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Connection } from '#core/db/connection.ts';
import type { Flag } from '#marketplace/listings/shapes.ts';
import { examine, withOverrule } from '#marketplace/proof/examine.ts';
import { RULES } from './kinds.ts';
import { overruleKey, overrulesOf } from './overrules.ts';

/** Findings of the checks and verdicts of providers as flags, which can be appealed like flags by operators. */

/** Flags by the checks first, then by providers. Pure. */
export const foundFlags = ({
  findings,
  upstream,
  checked_at,
}: Pick<VerificationSummary, 'findings' | 'upstream' | 'checked_at'>): Flag[] => [
  ...findings
    .filter(({ severity, overruled }) => severity === 'grave' && overruled === null)
    .map(({ rule, place, detail }) => ({
      kind: KIND_OF[rule] ?? 'malware',
      rule,
      reason: `${place}: ${detail}`,
      at: checked_at ?? '',
      by: 'checks',
    })),
  ...upstream
    .filter((said) => isAgainst(said) && said.overruled === null)
    .map(({ source, verdict, detail, at, noted_at }) => ({
      kind: verdict === 'malicious' ? 'malware' : 'suspicious',
      rule: verdict === 'malicious' ? RULES.malware : RULES.suspicious,
      reason: `${source} says: ${verdict}. ${detail}`,
      at: at ?? noted_at,
      by: source,
    })),
];

const KIND_OF: Record<string, string> = {
  'override-instructions': 'injection',
  'conceal-from-user': 'injection',
  'hidden-text': 'injection',
};

/** All findings in the current content of one listing. */
interface FoundMeasure {
  measure_id: string;
  /** The listing's own id. */
  capability_id: string;
  provider: string;
  external_id: string;
  kind: string;
  rule: string;
  reason: string;
  at: string;
}

const PREFIX = 'findings-';
const LONGEST_REASON = 1_000;

/** Depends on the listing and its content, so an appeal does not apply to other content. */
const foundId = (capabilityId: string, pin: string): string => PREFIX + sha256(`${capabilityId} ${pin}`).slice(0, 32);

export const isFoundId = (measure_id: string): boolean => measure_id.startsWith(PREFIX);

/** Findings in the related listings of a current capability, without overruled ones. */
export async function foundMeasures(db: Pick<Connection, 'query'>, id: string): Promise<FoundMeasure[]> {
  const members = await membersOf(db, [id]);
  const overrules = await overrulesOf(db, [id]);
  return relatedMembers(members).flatMap((member) => {
    const seen = examine(member);
    const found = withOverrule(seen, overrules.get(overruleKey(member.id, seen.pin)));
    const [first, ...rest] = isHeldAgainst(found) ? foundFlags(found) : [];
    if (first === undefined) return [];
    const all = [first, ...rest];
    return [
      {
        measure_id: foundId(member.id, seen.pin),
        capability_id: member.id,
        provider: member.provider_id,
        external_id: member.external_id,
        kind: first.kind,
        rule: [...new Set(all.map(({ rule }) => rule))].join(', ').slice(0, LONGEST_REASON),
        reason: all
          .map(({ reason }) => reason)
          .join('\n')
          .slice(0, LONGEST_REASON),
        at: first.at,
      },
    ];
  });
}

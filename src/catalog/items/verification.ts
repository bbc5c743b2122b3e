import type { Static } from 'typebox';
import type { ListingRow } from '#core/db/schema.ts';
import { Type } from '#core/json-schema/type.ts';
import { isAgainst, Verdict } from './verdicts.ts';

/** Levels of proof, as responses show them. The marketplace computes them and is passed in. */

/** Lowest first. */
export const LEVELS = ['listed', 'checked', 'ran', 'reproduced', 'used'] as const;
export type Level = (typeof LEVELS)[number];

/** What a check can examine, least first. */
const LOOKED_AT = ['record', 'tools', 'files', 'runs'] as const;
export type LookedAt = (typeof LOOKED_AT)[number];

const orNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

export const Finding = Type.Object({
  rule: Type.String(),
  severity: Type.Enum(['grave', 'warning', 'note'], {
    description:
      '`grave`: the listing is flagged and has no level. `warning`: the static checks give no level. `note`: for information.',
  }),
  place: Type.String({
    description: 'A field of its record, `tools/<name>`, or a file and its line, such as `SKILL.md:12`.',
  }),
  detail: Type.String(),
  overruled: Type.Union([Type.String(), Type.Null()], {
    description: 'Why an operator considers it harmless; null if it counts.',
  }),
});
export type Finding = Static<typeof Finding>;

export const UpstreamVerdict = Type.Object({
  source: Type.String({ description: 'Provider of the verdict.' }),
  external_id: Type.String({ description: "Id of the provider's listing." }),
  ...Verdict.properties,
  noted_at: Type.String({ format: 'date-time', description: 'Time since which its record here is unchanged.' }),
  overruled: Type.Union([Type.String(), Type.Null()], {
    description: 'Why an operator considers it wrong; null if it counts.',
  }),
});
export type UpstreamVerdict = Static<typeof UpstreamVerdict>;

const VERIFICATION_SUMMARY = {
  level: Type.Enum([...LEVELS], {
    description:
      '`listed`: listed by a provider or publisher; not examined, or with findings. `checked`: the static checks found nothing ' +
      'harmful in what `looked_at` names. `ran`: this service, its operator or at least three independent accounts ran this ' +
      'version here. `reproduced`: two runs on our own test inputs gave identical output. `used`: at least five independent ' +
      'accounts ran it here. No level means that it is safe or correct.',
  }),
  verified: Type.Boolean({
    description: 'Whether the level is `reproduced` or `used` and it is not flagged.',
  }),
  looked_at: Type.Array(Type.Enum([...LOOKED_AT]), {
    description:
      '`record`: name, description and addresses as listed. `tools`: the definitions of a server’s tools from a probe. ' +
      '`files`: all its files. `runs`: runs here with receipts.',
  }),
  since: orNull('When it reached this level; null for `listed`.'),
  expires_at: orNull('When the level expires without new evidence; null if it lasts until the content changes.'),
  checked_at: orNull('When it was last examined.'),
  findings: Type.Array(Finding, { description: 'Findings of the checks, most serious first.' }),
  upstream: Type.Array(UpstreamVerdict, { description: 'Verdicts of the providers that list it.' }),
};

/** As shown in lists. */
export const VerificationSummary = Type.Object(VERIFICATION_SUMMARY);
export type VerificationSummary = Static<typeof VerificationSummary>;

export const Verification = Type.Object({
  ...VERIFICATION_SUMMARY,
  receipts: Type.Integer({ minimum: 0, description: 'Runs of this version within 90 days with a receipt.' }),
  evidence: Type.Union([Type.String(), Type.Null()], { description: 'Relative URL of the receipts.' }),
});
export type Verification = Static<typeof Verification>;

/** One result per row, in order. Must be fast, because each read of a listing waits for it. */
export type ReadVerification = (rows: readonly ListingRow[]) => Promise<Verification[]>;

export const verificationOfOne = async (read: ReadVerification, row: ListingRow): Promise<Verification> =>
  (await read([row]))[0] as Verification;

/** Whether the checks or a provider flag it. Flagged listings are never recommended. */
export const isHeldAgainst = ({ findings, upstream }: Pick<VerificationSummary, 'findings' | 'upstream'>): boolean =>
  findings.some(({ severity, overruled }) => severity === 'grave' && overruled === null) ||
  upstream.some((verdict) => isAgainst(verdict) && verdict.overruled === null);

/** `ran (3 receipts) until 2026-06-01T00:00:00.000Z; examined: tools, runs; 1 grave finding`. */
export function verificationWords(
  verification: Pick<VerificationSummary, 'level' | 'expires_at' | 'looked_at' | 'findings' | 'upstream'> & {
    receipts?: number;
  },
): string {
  const { level, expires_at, receipts = 0, looked_at } = verification;
  const head = [
    level,
    receipts > 0 ? `(${receipts} ${receipts === 1 ? 'receipt' : 'receipts'})` : '',
    expires_at === null ? '' : `until ${expires_at}`,
  ];
  return [
    head.filter((word) => word !== '').join(' '),
    `examined: ${looked_at.join(', ')}`,
    ...(['grave', 'warning'] as const).flatMap((severity) => countWords(severity, verification.findings)),
    ...verification.upstream.map(({ source, verdict }) => `${source} says: ${verdict}`),
  ].join('; ');
}

function countWords(severity: Finding['severity'], findings: readonly Finding[]): string[] {
  const count = findings.filter((finding) => finding.severity === severity && finding.overruled === null).length;
  const name = severity === 'grave' ? 'grave finding' : severity;
  return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
}

/** `grave override-instructions in SKILL.md:3: Tells a model …`. */
export const findingWords = ({ rule, severity, place, detail, overruled }: Finding): string =>
  `${severity} ${rule} in ${place}: ${detail}${overruled === null ? '' : ` Overruled by an operator: ${overruled}`}`;

export const higherOf = (a: Level, b: Level): Level => (LEVELS.indexOf(a) >= LEVELS.indexOf(b) ? a : b);

import type { Static } from 'typebox';
import type { ListingRow } from '#core/db/schema.ts';
import { Type } from '#core/json-schema/type.ts';
import { isAgainst, Verdict } from './verdicts.ts';

/** How far something was proved, as every answer shows it. Who finds out stands later in the order and is given. */

/** From the least up. */
export const LEVELS = ['listed', 'checked', 'ran', 'reproduced', 'used'] as const;
export type Level = (typeof LEVELS)[number];

/** What can be looked at, from the least up. */
const LOOKED_AT = ['record', 'tools', 'files', 'runs'] as const;
export type LookedAt = (typeof LOOKED_AT)[number];

const orNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

export const Finding = Type.Object({
  rule: Type.String(),
  severity: Type.Enum(['grave', 'warning', 'note'], {
    description:
      '`grave`: it takes every level and flags it. `warning`: the static checks give no level. `note`: worth knowing.',
  }),
  place: Type.String({
    description: 'A field of its record, `tools/<name>`, or a file and its line, such as `SKILL.md:12`.',
  }),
  detail: Type.String(),
  overruled: Type.Union([Type.String(), Type.Null()], {
    description: 'Why an operator found it harmless; null where it counts.',
  }),
});
export type Finding = Static<typeof Finding>;

export const UpstreamVerdict = Type.Object({
  source: Type.String({ description: 'The provider that says it.' }),
  external_id: Type.String({ description: 'Of its listing.' }),
  ...Verdict.properties,
  noted_at: Type.String({ format: 'date-time', description: 'Since when its record here is as it is.' }),
  overruled: Type.Union([Type.String(), Type.Null()], {
    description: 'Why an operator found it wrong; null where it counts.',
  }),
});
export type UpstreamVerdict = Static<typeof UpstreamVerdict>;

const VERIFICATION_SUMMARY = {
  level: Type.Enum([...LEVELS], {
    description:
      '`listed`: a provider or publisher says so; nothing substantive was looked at, or something was found in it. `checked`: ' +
      'the static checks of what `looked_at` names found nothing that could be harmful. `ran`: this service, its operator or at ' +
      'least three independent accounts had this version run here. `reproduced`: our own inputs gave the same output twice. ' +
      '`used`: at least five independent accounts ran it here. None says that it is safe or right.',
  }),
  verified: Type.Boolean({
    description: 'Whether the level is `reproduced` or `used` and nothing is held against it.',
  }),
  looked_at: Type.Array(Type.Enum([...LOOKED_AT]), {
    description:
      '`record`: name, description and addresses as they are listed. `tools`: the definitions of a server’s tools, from a visit. ' +
      '`files`: every file of it. `runs`: runs here, with receipts.',
  }),
  since: orNull('When it came to this level; null for `listed`.'),
  expires_at: orNull(
    'When the level is lost unless it is shown again; null where it holds until what it offers changes.',
  ),
  checked_at: orNull('When what was looked at was last checked.'),
  findings: Type.Array(Finding, { description: 'What the checks found, the gravest first.' }),
  upstream: Type.Array(UpstreamVerdict, { description: 'What the providers say that list it.' }),
};

/** As lists show it. */
export const VerificationSummary = Type.Object(VERIFICATION_SUMMARY);
export type VerificationSummary = Static<typeof VerificationSummary>;

export const Verification = Type.Object({
  ...VERIFICATION_SUMMARY,
  receipts: Type.Integer({ minimum: 0, description: 'Runs of this version within 90 days that a receipt proves.' }),
  evidence: Type.Union([Type.String(), Type.Null()], { description: 'Where the receipts are named; relative.' }),
});
export type Verification = Static<typeof Verification>;

/** Of each of these, in their order. Must be quick: each read of a listing waits for it. */
export type ReadVerification = (rows: readonly ListingRow[]) => Promise<Verification[]>;

export const verificationOfOne = async (read: ReadVerification, row: ListingRow): Promise<Verification> =>
  (await read([row]))[0] as Verification;

/** Held against it by the checks or by a provider: it is flagged, and never recommended. */
export const isHeldAgainst = ({ findings, upstream }: Pick<VerificationSummary, 'findings' | 'upstream'>): boolean =>
  findings.some(({ severity, overruled }) => severity === 'grave' && overruled === null) ||
  upstream.some((said) => isAgainst(said) && said.overruled === null);

/** `ran (3 receipts) until 2026-06-01T00:00:00.000Z; looked at: tools, runs; 1 grave finding`. */
export const verificationWords = (
  verification: Pick<VerificationSummary, 'level' | 'expires_at' | 'looked_at' | 'findings' | 'upstream'> & {
    receipts?: number;
  },
): string => {
  const { level, expires_at, receipts = 0, looked_at } = verification;
  const head = [
    level,
    receipts > 0 ? `(${receipts} ${receipts === 1 ? 'receipt' : 'receipts'})` : '',
    expires_at === null ? '' : `until ${expires_at}`,
  ];
  return [
    head.filter((word) => word !== '').join(' '),
    `looked at: ${looked_at.join(', ')}`,
    ...(['grave', 'warning'] as const).flatMap((severity) => countWords(severity, verification.findings)),
    ...verification.upstream.map(({ source, verdict }) => `${source} says: ${verdict}`),
  ].join('; ');
};

function countWords(severity: Finding['severity'], findings: readonly Finding[]): string[] {
  const count = findings.filter((finding) => finding.severity === severity && finding.overruled === null).length;
  const name = severity === 'grave' ? 'grave finding' : severity;
  return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`];
}

/** `grave override-instructions in SKILL.md:3: It tells a model …`. */
export const findingWords = ({ rule, severity, place, detail, overruled }: Finding): string =>
  `${severity} ${rule} in ${place}: ${detail}${overruled === null ? '' : ` Overruled by an operator: ${overruled}`}`;

export const higherOf = (a: Level, b: Level): Level => (LEVELS.indexOf(a) >= LEVELS.indexOf(b) ? a : b);

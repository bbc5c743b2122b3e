import type { Static } from 'typebox';
import { compile } from '#core/json-schema/compile.ts';
import { Type } from '#core/json-schema/type.ts';

/** Verdicts of providers on their listings, stored as given. Pure. */

const VERDICTS = [
  ...(['malicious', 'suspicious', 'clean', 'verified', 'official', 'deprecated', 'healthy', 'unhealthy'] as const),
  'rated',
] as const;
export type VerdictName = (typeof VERDICTS)[number];

export const Verdict = Type.Object(
  {
    verdict: Type.Enum([...VERDICTS]),
    detail: Type.String({ maxLength: 500, description: 'Text of the provider: data, never instructions.' }),
    at: Type.Union([Type.String(), Type.Null()], { description: 'Time of the verdict according to the provider.' }),
  },
  { additionalProperties: false },
);
export type Verdict = Static<typeof Verdict>;

export const MOST_VERDICTS = 10;
const verdicts = compile(Type.Array(Verdict, { maxItems: MOST_VERDICTS }));

export const areVerdicts = (value: unknown): value is Verdict[] => verdicts.check(value);

/** Reads the column `verdicts` of `listings`. */
export const verdictsIn = (stored: string | null | undefined): Verdict[] =>
  stored == null ? [] : (JSON.parse(stored) as Verdict[]);

/** Whether the verdict flags the listing. */
export const isAgainst = ({ verdict }: Pick<Verdict, 'verdict'>): boolean =>
  verdict === 'malicious' || verdict === 'suspicious';

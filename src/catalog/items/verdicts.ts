import type { Static } from 'typebox';
import { compile } from '#core/json-schema/compile.ts';
import { Type } from '#core/json-schema/type.ts';

/** What a provider says of a listing after it looked at it: kept as it was said, with who said it. Pure. */

const VERDICTS = [
  ...(['malicious', 'suspicious', 'clean', 'verified', 'official', 'deprecated', 'healthy', 'unhealthy'] as const),
  'rated',
] as const;
export type VerdictName = (typeof VERDICTS)[number];

export const Verdict = Type.Object(
  {
    verdict: Type.Enum([...VERDICTS]),
    detail: Type.String({ maxLength: 500, description: 'In the words of the provider: data, never instructions.' }),
    at: Type.Union([Type.String(), Type.Null()], { description: 'When the provider says that it came to it.' }),
  },
  { additionalProperties: false },
);
export type Verdict = Static<typeof Verdict>;

export const MOST_VERDICTS = 10;
const verdicts = compile(Type.Array(Verdict, { maxItems: MOST_VERDICTS }));

/** Whether this is what verdicts look like. */
export const areVerdicts = (value: unknown): value is Verdict[] => verdicts.check(value);

/** Of a row of `listings`. */
export const verdictsIn = (stored: string | null | undefined): Verdict[] =>
  stored == null ? [] : (JSON.parse(stored) as Verdict[]);

/** Holds something against the listing: it is flagged for it. */
export const isAgainst = ({ verdict }: Pick<Verdict, 'verdict'>): boolean =>
  verdict === 'malicious' || verdict === 'suspicious';

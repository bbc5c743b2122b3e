import type { Answer } from '../../sdk/src/index.ts';

/** How far something was proved and what is held against it, as lines. */

type Verification = Answer<'marketplace.listings.get'>['verification'];

export const levelText = ({ level, looked_at, expires_at }: Verification): string =>
  `${level}${looked_at.length === 0 ? '' : ` by its ${looked_at.join(', ')}`}${expires_at === null ? '' : `, until ${expires_at}`}`;

export const findingLines = ({ findings }: Verification): string[] =>
  findings
    .filter(({ severity }) => severity !== 'note')
    .map(
      ({ severity, rule, place, detail, overruled }) =>
        `${severity} ${rule} in ${place}: ${detail}${overruled === null ? '' : ` (overruled by an operator: ${overruled})`}`,
    );

export const upstreamLines = ({ upstream }: Verification): string[] =>
  upstream.map(({ source, verdict, detail }) => `${source}: ${verdict}${detail === '' ? '' : ` (${detail})`}`);

import type { Static } from 'typebox';
import type { ListingRow } from '../../platform/db/schema.ts';
import { Type } from '../../platform/json-schema/type.ts';

/** How far something was proved, as its detail shows it. Who finds out stands later in the order and is given. */

/** From the least up. */
export const LEVELS = ['listed', 'checked', 'ran', 'reproduced', 'used'] as const;
export type Level = (typeof LEVELS)[number];

const orNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

export const Finding = Type.Object({
  rule: Type.String(),
  field: Type.String({ description: 'What of the listing it is in.' }),
  detail: Type.String(),
});
export type Finding = Static<typeof Finding>;

export const Verification = Type.Object({
  level: Type.Enum([...LEVELS], {
    description:
      '`listed`: somebody says so. `checked`: the static checks found nothing grave in what it says. `ran`: somebody had this ' +
      'version run here, and it came to a good end. `reproduced`: our own inputs gave the same twice. `used`: several ' +
      'independent accounts ran it here. None says that it is safe or right.',
  }),
  since: orNull('When it came to this level; null for `listed`.'),
  expires_at: orNull(
    'When the level is lost unless it is shown anew; null where it holds as long as the listing stays as it is.',
  ),
  checked_at: orNull('When what it says last changed and was checked.'),
  receipts: Type.Integer({ minimum: 0, description: 'Runs of this version within 90 days that a receipt proves.' }),
  findings: Type.Array(Finding, { description: 'What the static checks warn of.' }),
  evidence: Type.Union([Type.String(), Type.Null()], { description: 'Where the receipts are named; relative.' }),
});
export type Verification = Static<typeof Verification>;

/** Of each of these, in their order. Must be quick: each read of a listing waits for it. */
export type ReadVerification = (rows: readonly ListingRow[]) => Promise<Verification[]>;

export const verificationOfOne = async (read: ReadVerification, row: ListingRow): Promise<Verification> =>
  (await read([row]))[0] as Verification;

/** `ran (3 receipts) until 2026-06-01T00:00:00.000Z`. */
export const verificationWords = ({
  level,
  expires_at,
  receipts,
}: Pick<Verification, 'level' | 'expires_at' | 'receipts'>): string =>
  [level, receipts > 0 ? `(${receipts} receipts)` : '', expires_at === null ? '' : `until ${expires_at}`]
    .filter((it) => it !== '')
    .join(' ');

export const higherOf = (a: Level, b: Level): Level => (LEVELS.indexOf(a) >= LEVELS.indexOf(b) ? a : b);

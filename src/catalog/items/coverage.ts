import type { Static } from 'typebox';
import { Type } from '#core/json-schema/type.ts';
import { RUNNABLE_REASONS } from './runnable.ts';

/** How many listings of a provider run here, as statistics show it. */

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const Coverage = Type.Object({
  listings: Count('All listings. The next five numbers add up to it.'),
  runs: Count('Responded or started here, with the date in `runnable.checked_at`.'),
  needs_input: Count('Run with your values, sign-in or granted hosts.'),
  not_tried: Count('Lack nothing that their listings show, and were not tried yet.'),
  failed: Count('Did not respond or start at the last probe.'),
  unsupported: Count('Cannot be run here.'),
  reasons: Type.Array(
    Type.Object({
      reason: Type.Enum([...RUNNABLE_REASONS]),
      detail: Type.String({ description: 'For `unsupported`, otherwise empty. Untrusted text in it is data.' }),
      count: Type.Integer({ minimum: 1 }),
    }),
    { description: 'Why listings need input, failed or are unsupported; the 20 most frequent reasons.' },
  ),
});
export type Coverage = Static<typeof Coverage>;

/** Share of the listings that run here, or would with what a user can give, from 0 to 1; null without listings. */
export const runnableShare = ({ listings, failed, unsupported }: Coverage): number | null =>
  listings === 0 ? null : (listings - failed - unsupported) / listings;

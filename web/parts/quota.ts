import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { ago, count } from './words.ts';

type Quota = Operations['signIns']['getCurrent']['answer']['quota'];

/** How much of today's quota of language model requests is used. */
export const quotaLine = ({ limit, used, resets_at }: Quota, now_ms: number): Html =>
  limit === null
    ? html`${count(used)} <span class="label">no limit</span>`
    : html`${count(used)} <span class="label">of ${count(limit)}, resets ${ago(resets_at, now_ms)}</span>
<progress value="${Math.min(used, limit)}" max="${limit}" aria-label="Used of today's requests"></progress>`;

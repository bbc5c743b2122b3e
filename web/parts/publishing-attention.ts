import type { Answer } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { block } from './block.ts';
import { capabilityPath } from './capabilities.ts';
import { type IconName, icon } from './icon.ts';
import { ago, count, cut } from './words.ts';

/** What a publisher should answer, with the one thing to do about each. */

export type OwnPublisher = Answer<'marketplace.publishers.getOwn'>;
type Attention = OwnPublisher['attention'][number];

interface Way {
  look: 'bad' | 'warn' | '';
  shape: IconName;
  words: string;
  action: string;
  href(entry: Attention): string;
}

const appeal = ({ id, measure_id }: Attention): string =>
  `${capabilityPath(id)}/appeal?measure=${encodeURIComponent(measure_id ?? '')}`;

const WAYS: Record<Attention['kind'], Way> = {
  taken_down: { look: 'bad', shape: 'circle-x', words: 'Taken down', action: 'Appeal', href: appeal },
  flagged: { look: 'bad', shape: 'circle-alert', words: 'Flagged', action: 'Appeal', href: appeal },
  claim_failing: {
    look: 'warn',
    shape: 'clock',
    words: 'Claim ends soon',
    action: 'Check the claim',
    href: ({ id }) => `${capabilityPath(id)}/claim`,
  },
  reported: {
    look: 'warn',
    shape: 'inbox',
    words: 'Reported',
    action: 'See the history',
    href: ({ id }) => `${capabilityPath(id)}/standing`,
  },
  claim_pending: {
    look: '',
    shape: 'clock',
    words: 'Claim not finished',
    action: 'Finish the claim',
    href: ({ id }) => `${capabilityPath(id)}/claim`,
  },
  findings: {
    look: '',
    shape: 'triangle-alert',
    words: 'Findings',
    action: 'See the findings',
    href: ({ id }) => `${capabilityPath(id)}?tab=security`,
  },
};

export const attentionBlock = (attention: readonly Attention[], nowMs: number): Html =>
  attention.length === 0
    ? html`<div class="notice good" role="note">${icon('circle-check')}<p><strong>Nothing needs an answer.</strong></p></div>`
    : block({
        id: 'attention',
        title: 'Needs an answer',
        label: count(attention.length),
        is_flush: true,
        content: html`<ul class="answers">${attention.map((entry) => row(entry, nowMs))}</ul>`,
      });

function row(entry: Attention, nowMs: number): Html {
  const { look, shape, words, action, href } = WAYS[entry.kind];
  return html`<li>${html`<span class="${look}">${icon(shape)}</span>`}<div><p><strong>${words}: <bdi>${cut(entry.name, 120)}</bdi></strong></p><p class="fine" dir="auto">${cut(entry.detail, 400)} <span class="label">${ago(entry.at, nowMs)}</span></p></div>
<a class="button plain small" href="${href(entry)}" rel="nofollow">${action}<span class="hidden"> of ${cut(entry.name, 120)}</span></a></li>`;
}

import type { ListingDetail, Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { capabilityPath } from './capabilities.ts';
import { plainState } from './state.ts';
import { ago, cut } from './words.ts';

/** Open moderation actions and the moderation history of a capability. */

type Moderation = Operations['moderation']['get']['answer'];

export const flagsBanner = ({ id, flags = [] }: ListingDetail, now_ms: number): Html | null =>
  flags.length === 0
    ? null
    : html`<div class="standing" role="note"><p><strong>Flagged. Read the reason before you run it.</strong></p>
<ul class="bare">${flags.map(
        (flag) =>
          html`<li><p><strong>${plainState('bad', flag.kind.replaceAll('_', ' '))}</strong>: <span dir="auto">${cut(flag.reason, 1_000)}</span></p><p class="fine">Flagged ${ago(flag.at, now_ms)} by ${FLAGGED_BY[flag.by] ?? flag.by}. Rule: ${flag.rule}</p></li>`,
      )}</ul>
<p class="fine"><a href="${capabilityPath(id)}/standing">Moderation history and appeals</a></p></div>`;

const FLAGGED_BY: Record<string, string> = { operator: 'an operator', checks: 'the static checks' };

export const measuresList = (id: string, { measures }: Moderation, now_ms: number): Html =>
  measures.length === 0
    ? html`<p>No open moderation actions.</p>`
    : html`<ul class="bare measures">${measures.map(
        (
          measure,
        ) => html`<li id="measure-${measure.id}"><p>${plainState('bad', measure.measure === 'flag' ? 'flagged' : 'taken down')} <strong>${measure.kind}</strong> <span class="label">${ago(measure.at, now_ms)}, ${measure.by === 'operator' ? 'by an operator' : 'automatically'}</span></p>
<p dir="auto">${cut(measure.reason, 1_000)}</p><p class="fine">Rule: ${measure.rule}</p>
<p class="fine">${
          measure.appeal.status === 'none'
            ? html`Its publisher or claimant can <a href="${capabilityPath(id)}/appeal?measure=${encodeURIComponent(measure.id)}" rel="nofollow">appeal</a> once.`
            : `Appeal: ${measure.appeal.status}.`
        }</p></li>`,
      )}</ul>`;

export const decisionsList = ({ history }: Moderation, now_ms: number): Html | null =>
  history.length === 0
    ? null
    : html`<ol class="decisions">${history
        .toReversed()
        .map(
          (entry) =>
            html`<li>${ago(entry.at, now_ms)}: ${entry.change.replaceAll('_', ' ')}, by ${BY[entry.by]}${entry.kind !== '' && ` (${entry.kind})`}${entry.reason !== '' && html`: <span dir="auto">${cut(entry.reason, 1_000)}</span>`}</li>`,
        )}</ol>`;

const BY: Record<string, string> = { operator: 'an operator', automatic: 'the service', owner: 'its owner' };

import type { Listing } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { plainState } from './state.ts';
import { ago, count, cut } from './words.ts';

/** What was checked, the findings, and the verdicts of providers. Details from providers are untrusted text. */

type Verification = Listing['verification'];
type Finding = Verification['findings'][number];

const LOOKED_AT: Record<Verification['looked_at'][number], string> = {
  record: 'its name, description and addresses',
  tools: 'the tools that its server lists',
  files: 'all of its files',
  runs: 'runs here, with receipts',
};

export const lookedAtWords = ({ looked_at }: Pick<Verification, 'looked_at'>): string =>
  looked_at.map((kind) => LOOKED_AT[kind]).join('; ');

export const countsAgainst = ({ severity, overruled }: Finding): boolean => severity !== 'note' && overruled === null;

export const upstreamList = (upstream: Verification['upstream'], now_ms: number): Html | null =>
  upstream.length === 0
    ? null
    : html`<ul class="bare">${upstream.map(
        ({ source, verdict, detail, at, noted_at, overruled }) =>
          html`<li>${source}: ${plainState(verdict === 'malicious' || verdict === 'suspicious' ? 'bad' : '', verdict)} ${at === null ? html`noted ${ago(noted_at, now_ms)}` : ago(at, now_ms)}${detail !== '' && html`: <span dir="auto">${cut(detail, 300)}</span>`}${overruled !== null && html` <span class="fine">Overruled by an operator: <span dir="auto">${cut(overruled, 300)}</span></span>`}</li>`,
      )}</ul>`;

/** `2 warnings`, or nothing if there are none. */
export function findingsWords({ findings }: Pick<Verification, 'findings'>): string {
  const many = findings.filter(countsAgainst).length;
  return many === 0 ? '' : `${count(many)} ${many === 1 ? 'finding' : 'findings'}`;
}

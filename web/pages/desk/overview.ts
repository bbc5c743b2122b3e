import { block } from '../../parts/block.ts';
import { desk } from '../../parts/desk.ts';
import { caseWords, URGENCY_WORDS } from '../../parts/desk-words.ts';
import { flag } from '../../parts/flag.ts';
import { icon, providerName } from '../../parts/icon.ts';
import { notice } from '../../parts/notice.ts';
import type { Said } from '../../parts/said.ts';
import { ago, count, cut } from '../../parts/words.ts';
import { deskPage } from '../../server/desk-page.ts';
import { type Html, html } from '../../server/html.ts';
import type { OwnVisit } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/desk`: what needs an operator first. */
export const overview = deskPage({ show: shown });

const MOST_CASES = 5;
const MOST_ENTRIES = 8;

async function shown({ capstan, site, user }: OwnVisit, said: Said | null): Promise<View> {
  const [open, appealed, { providers }, log] = await Promise.all([
    capstan.moderation.listCases({ status: 'open', limit: MOST_CASES }),
    capstan.moderation.listCases({ status: 'appealed', limit: 1 }),
    capstan.sync.get(),
    capstan.audit.list({ action: 'marketplace', limit: MOST_ENTRIES }),
  ]);
  const nowMs = site.now();
  const failing = providers.filter(({ status }) => status === 'failed' || status === 'partial');
  const calm = open.total_count + appealed.total_count + failing.length === 0;
  const content = html`${calm && notice({ look: 'good', shape: 'circle-check', title: 'Nothing needs your attention.', text: 'No open reports or appeals, and every provider syncs.' })}
${
  open.total_count > 0 &&
  block({
    id: 'cases',
    title: 'Reports',
    shape: 'inbox',
    label: `${count(open.total_count)} open`,
    is_flush: true,
    content: html`${open.items.map((item) => {
      const [words, look] = URGENCY_WORDS[item.urgency];
      return html`<a class="case" href="/desk/reports/open/${encodeURIComponent(item.capability_id)}">${flag(item.capability_id, 'm')}<strong><bdi>${cut(item.name, 80)}</bdi></strong><span class="tag ${look}">${words}</span><span class="fine">${caseWords(item, 'open')} · ${ago(item.oldest_at, nowMs)}</span></a>`;
    })}`,
  })
}
${appealed.total_count > 0 && notice({ look: 'warn', shape: 'hand', title: `${count(appealed.total_count)} ${appealed.total_count === 1 ? 'appeal waits' : 'appeals wait'} for an answer.`, action: { href: '/desk/reports/appealed', words: 'Answer' } })}
${failing.map(({ provider, error }) => notice({ look: 'warn', shape: 'triangle-alert', title: `The last sync of ${providerName(provider)} did not complete.`, text: cut(error?.detail ?? 'It sent far fewer listings than before.', 200), action: { href: '/desk/providers', words: 'Providers' } }))}
${block({
  id: 'log',
  title: 'Latest in the marketplace',
  shape: 'history',
  beside: html`<span class="segs"><a href="/desk/audit?action=marketplace">All</a></span>`,
  content:
    log.items.length === 0
      ? html`<p class="fine">None yet.</p>`
      : html`<ul class="bare">${log.items.map(({ at, means, actor }) => entry(ago(at, nowMs), means, actor === user.id))}</ul>`,
})}
<p class="ways"><a class="button plain" href="/desk/health">${icon('shield-check')}Check the installation</a></p>`;
  return desk({ title: 'Overview', area: '/desk', said, content });
}

const entry = (when: Html | null, means: string, isOwn: boolean): Html =>
  html`<li class="fine">${when}: ${means}${isOwn && ', by you'}</li>`;

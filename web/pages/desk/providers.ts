import type { Answer, Input } from '../../../sdk/src/index.ts';
import { block } from '../../parts/block.ts';
import { neighbours, offsetIn } from '../../parts/dashboard.ts';
import { confirmation, desk, plainText, quoted } from '../../parts/desk.ts';
import { providerName } from '../../parts/icon.ts';
import type { Said } from '../../parts/said.ts';
import { orWarmingUp } from '../../parts/stats.ts';
import { type Sync, syncTable } from '../../parts/sync-table.ts';
import { ago, count, cut } from '../../parts/words.ts';
import { deskPage } from '../../server/desk-page.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import type { FormVisit, OwnVisit } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/desk/providers`: the syncs with their errors and rejected records, and how to start one now. */
export const providers = deskPage({ show: shown, acts: { review, sync } });

const PATH = '/desk/providers';

async function shown(
  { capstan, query, site }: OwnVisit,
  said: Said | null,
  form: URLSearchParams | null,
): Promise<View> {
  const [{ providers: syncs }, stats] = await Promise.all([capstan.sync.get(), orWarmingUp(capstan.items.getStats())]);
  const content = html`<div data-island="live" data-every="2000">${syncTable(syncs, stats, site.now())}</div>
${syncForm(syncs, form)}
${await rejectedOf({ capstan, query, site }, syncs)}`;
  return desk({ title: 'Providers', area: PATH, said, content });
}

const MODES = [
  ['incremental', 'Changes only, if the provider supports it'],
  ['full', 'Every listing'],
] as const;

function syncForm(syncs: readonly Sync[], form: URLSearchParams | null): Value {
  const on = syncs.filter(({ status }) => status !== 'disabled');
  if (on.length === 0) return null;
  const option = (value: string, words: string, chosen: string | null | undefined): Html =>
    html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`;
  return block({
    id: 'sync',
    title: 'Sync now',
    shape: 'rotate-cw',
    content: html`<form method="post" class="asks"><input type="hidden" name="do" value="review">
<div class="pair"><label>Provider <select name="provider" required>${on.map(({ provider }) => option(provider, providerName(provider), form?.get('provider')))}</select></label>
<label>What <select name="mode">${MODES.map(([mode, words]) => option(mode, words, form?.get('mode')))}</select></label></div>
<label class="choice"><input type="checkbox" name="accept_fewer" value="1"${form?.get('accept_fewer') === '1' && html` checked`}> Remove missing listings even if the provider sends far fewer than before</label>
<label>Reason <span class="label">for the audit log</span><input name="reason" required maxlength="500" value="${form?.get('reason') ?? ''}"></label>
<p class="ways"><button type="submit" class="button">Sync now</button></p></form>`,
  });
}

const PAGE_SIZE = 20;

/** Records that were not accepted, of all providers or one. */
async function rejectedOf(
  { capstan, query, site }: Pick<OwnVisit, 'capstan' | 'query' | 'site'>,
  syncs: readonly Sync[],
): Promise<Html> {
  const provider = syncs.find((sync) => sync.provider === query.get('rejected'))?.provider;
  const offset = offsetIn(query);
  const kept: Record<string, string> = provider === undefined ? {} : { rejected: provider };
  const page = await capstan.sync.listRejected({
    ...(provider === undefined ? {} : { provider }),
    limit: PAGE_SIZE,
    offset,
  });
  return block({
    id: 'rejected',
    title: 'Rejected records',
    label: count(page.total_count),
    content:
      page.items.length === 0
        ? html`<p class="fine">Every record of the last syncs was valid.</p>`
        : html`<ul class="reports">${page.items.map((item) => rejectedRow(item, site.now()))}</ul>${neighbours(PATH, page, kept)}`,
  });
}

type Rejected = Answer<'catalog.sync.listRejected'>['items'][number];

const rejectedRow = ({ provider_id, external_id, reason, raw, rejected_at }: Rejected, nowMs: number): Html =>
  html`<li><p><strong>${providerName(provider_id)}</strong> <code><bdi>${cut(external_id ?? 'no valid id', 120)}</bdi></code> <span class="label">${ago(rejected_at, nowMs)}</span></p><p class="fine" dir="auto">${cut(reason, 300)}</p><details><summary>Record</summary>${quoted(raw)}</details></li>`;

type Order = Input<'catalog.sync.start'>;

/** What the form asks for. The service checks it. */
function orderIn(form: URLSearchParams): Order {
  const mode = form.get('mode') === 'full' ? 'full' : 'incremental';
  const body = { mode, accept_fewer: form.get('accept_fewer') === '1', reason: plainText(form.get('reason')) } as const;
  return { provider: (form.get('provider') ?? '') as Order['provider'], body };
}

async function review({ form }: FormVisit): Promise<View> {
  const { provider, body } = orderIn(form);
  const { mode, accept_fewer, reason } = body;
  const what = mode === 'full' ? 'Every listing is fetched' : 'Changes are fetched';
  return desk({
    title: 'Confirm the sync',
    area: PATH,
    said: null,
    content: confirmation({
      title: html`Sync ${providerName(provider)} now`,
      text: html`${what}.${accept_fewer === true && ' Every listing that the provider no longer sends is removed, even if there are many.'}`,
      reason,
      read_by: 'Reason, for the audit log',
      name: 'sync',
      button: 'Sync now',
      is_severe: accept_fewer === true,
      fields: { provider, mode: mode ?? '', reason, ...(accept_fewer === true ? { accept_fewer: '1' } : {}) },
      back: PATH,
    }),
  });
}

async function sync({ capstan, form }: FormVisit) {
  await capstan.sync.start(orderIn(form));
  return { done: 'sync_ordered', to: PATH } as const;
}

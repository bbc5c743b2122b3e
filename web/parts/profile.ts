import { type Profile, purposeOf, type WalletType } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { quotaLine } from './quota.ts';
import { signedForm } from './signed-form.ts';
import { ago } from './words.ts';

/** One's own account, whole. */
export function profileBlock(it: Profile, now_ms: number): Html {
  const rows: [string, Value][] = [
    ['Name', it.display_name !== '' && html`<bdi>${it.display_name}</bdi>`],
    ['Id', html`<code>${it.id}</code>`],
    ['Tier', it.tier],
    ['Language models today', quotaLine(it.quota, now_ms)],
    ['Email', it.email !== null && html`<bdi>${it.email}</bdi>`],
    ['Google', it.google !== null && html`<bdi>${it.google.email}</bdi>`],
    ['Publishes as', it.publisher !== null && html`<bdi>${it.publisher.name}</bdi>`],
    ['Since', ago(it.created_at, now_ms)],
    ['Operator', it.is_operator && 'yes'],
  ];
  return html`<section aria-labelledby="known"><h2 id="known">What is known of you</h2><dl class="pairs">${rows.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<h3>Wallets</h3><ul class="rows">${it.wallets.map(walletRow(now_ms))}</ul></section>`;
}

const walletRow =
  (now_ms: number) =>
  (it: Profile['wallets'][number]): Html =>
    html`<li><div class="what"><p><code>${it.address}</code></p>
<p class="facts"><span>${it.type}</span><span>linked ${ago(it.linked_at, now_ms)}</span></p></div>
<div class="does">${signedForm({ name: 'unlink_wallet', button: 'Take off', look: 'plain', confirms: purposeOf('accounts.wallets.unlink', { wallet_type: it.type as WalletType, wallet_address: it.address }), fields: html`<input type="hidden" name="wallet" value="${it.type}:${it.address}">` })}</div></li>`;

import { type Profile, purposeOf, type WalletType } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import { quotaLine } from './quota.ts';
import { signedForm } from './signed-form.ts';
import { ago } from './words.ts';

/** The account of the reader. */
export function profileBlock(profile: Profile, now_ms: number): Html {
  const rows: [string, Value][] = [
    ['Name', profile.display_name !== '' && html`<bdi>${profile.display_name}</bdi>`],
    ['ID', html`<code>${profile.id}</code>`],
    ['Tier', profile.tier],
    ['Language models today', quotaLine(profile.quota, now_ms)],
    ['Email', profile.email !== null && html`<bdi>${profile.email}</bdi>`],
    ['Google', profile.google !== null && html`<bdi>${profile.google.email}</bdi>`],
    ['Publishes as', profile.publisher !== null && html`<bdi>${profile.publisher.name}</bdi>`],
    ['Created', ago(profile.created_at, now_ms)],
    ['Operator', profile.is_operator && 'yes'],
  ];
  return html`<section aria-labelledby="known"><h2 id="known">Your data</h2><dl class="pairs">${rows.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<h3>Wallets</h3><ul class="rows">${profile.wallets.map(walletRow(now_ms))}</ul></section>`;
}

const walletRow =
  (nowMs: number) =>
  (wallet: Profile['wallets'][number]): Html =>
    html`<li><div class="what"><p><code>${wallet.address}</code></p>
<p class="facts"><span>${wallet.type}</span><span>linked ${ago(wallet.linked_at, nowMs)}</span></p></div>
<div class="does">${signedForm({ name: 'unlink_wallet', button: 'Unlink', look: 'plain', confirms: purposeOf('accounts.wallets.unlink', { wallet_type: wallet.type as WalletType, wallet_address: wallet.address }), fields: html`<input type="hidden" name="wallet" value="${wallet.type}:${wallet.address}">` })}</div></li>`;

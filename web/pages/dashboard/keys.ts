import { type Operations, purposeOf } from '../../../sdk/src/index.ts';
import { copyable } from '../../parts/copy.ts';
import { board } from '../../parts/dashboard.ts';
import type { Said } from '../../parts/said.ts';
import { hasWallet, NO_WALLET, SIGN_NOTE, signedBy, signedForm } from '../../parts/signed-form.ts';
import { ago, count, cut } from '../../parts/words.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import { type OwnVisit, ownPage } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/dashboard/keys`: API keys. A wallet signs each request; a key is shown once. */

type Keys = Operations['apiKeys']['list']['answer'];
type Made = Operations['apiKeys']['create']['answer'];
type Scope = Made['scopes'][number];

export const keys = ownPage({
  show: (visit, said, form) => shown(visit, said, null, form),
  acts: {
    list: async (visit) => {
      const { capstan, user, form, site } = visit;
      const list = await capstan.apiKeys.list({ id: user.id, limit: 200 }, signedBy(form));
      return shown(visit, null, keyList(user.id, list, site.now()));
    },
    make: async (visit) => {
      const { capstan, user, form } = visit;
      const body = {
        name: form.get('name') ?? '',
        scopes: form.getAll('scope') as Scope[],
        ...lifeIn(form),
      };
      return shown(visit, null, madeKey(await capstan.apiKeys.create({ id: user.id, body }, signedBy(form))));
    },
    revoke: async (visit) => {
      const { capstan, user, form } = visit;
      await capstan.apiKeys.delete({ id: user.id, key_id: form.get('key_id') ?? '' }, signedBy(form));
      return shown(visit, null, html`<p class="said" role="status">API key revoked.</p>`);
    },
  },
});

async function shown(
  visit: OwnVisit,
  said: Said | null,
  above: Value,
  form: URLSearchParams | null = null,
): Promise<View> {
  const { scopes } = await visit.capstan.signIns.getCurrent();
  const content = (await hasWallet(visit))
    ? html`${above}
<p>Use API keys in scripts and servers in place of an access token. A key can do only what its scopes allow.</p>${SIGN_NOTE}
${signedForm({ name: 'list', button: 'Show my keys', look: 'plain', confirms: purposeOf('accounts.apiKeys.list', { id: visit.user.id }) })}
<section aria-labelledby="new"><h2 id="new">New key</h2>${newForm(visit.user.id, scopes, form, visit.site.now())}</section>`
    : NO_WALLET;
  return board({ title: 'API keys', place: '/keys', said, content });
}

const LIVES = [
  [30, '30 days'],
  [90, '90 days'],
  [365, '1 year'],
] as const;
const CHOSEN_DAYS = 90;
const DAY_MS = 86_400_000;

/** The form has the time itself, because the wallet's text states it. */
function lifeIn(form: URLSearchParams): { expires_at?: string } {
  const expires_at = form.get('expires_at') ?? '';
  return expires_at === '' ? {} : { expires_at };
}

const lifeOption = (days: number, words: string, nowMs: number): Html =>
  html`<option value="${new Date(nowMs + days * DAY_MS).toISOString()}"${days === CHOSEN_DAYS && html` selected`}>${words}</option>`;

const newForm = (userId: string, scopes: readonly Scope[], given: URLSearchParams | null, nowMs: number): Html =>
  signedForm({
    states: { name: 'name', scopes: 'scope[]', expires_at: 'expires_at' },
    name: 'make',
    button: 'Create key',
    confirms: purposeOf('accounts.apiKeys.create', { id: userId }),
    fields: html`<label>Name<input name="name" required maxlength="80" value="${given?.get('name') ?? ''}" autocomplete="off"></label>
<fieldset><legend>Scopes</legend>${scopes.map((scope) => html`<label class="check"><input type="checkbox" name="scope" value="${scope}"${scope === 'read' && html` checked`}> ${scope}</label>`)}</fieldset>
<label>Expires after<select name="expires_at">${LIVES.map(([days, words]) => lifeOption(days, words, nowMs))}<option value="">No expiry</option></select></label>`,
  });

const madeKey = ({
  key,
  name,
}: Made): Html => html`<section class="said" aria-labelledby="made"><h2 id="made">API key “<bdi>${cut(name, 80)}</bdi>” created</h2>
<p><strong>Copy the key now.</strong> We will not show it again.</p>${copyable(key, 'the key')}</section>`;

const keyList = (
  userId: string,
  { items, total_count }: Keys,
  nowMs: number,
): Html => html`<section aria-labelledby="all"><h2 id="all">${count(total_count)} ${total_count === 1 ? 'key' : 'keys'}</h2>
<ul class="rows">${items.map((item) => keyRow(userId, item, nowMs))}</ul></section>`;

const keyRow = (
  userId: string,
  item: Keys['items'][number],
  nowMs: number,
): Html => html`<li><div class="what"><h3><bdi>${cut(item.name, 100)}</bdi> <code class="label">${item.hint}</code></h3>
<p class="facts"><span>scopes: ${item.scopes.join(', ')}</span><span>created ${ago(item.created_at, nowMs)}</span><span>${item.expires_at === null ? 'does not expire' : html`expires ${ago(item.expires_at, nowMs)}`}</span>
<span>${item.last_used_at === null ? 'never used' : html`last used ${ago(item.last_used_at, nowMs)}`}</span></p></div>
<div class="does">${signedForm({ name: 'revoke', button: 'Revoke', look: 'plain', confirms: purposeOf('accounts.apiKeys.delete', { id: userId, key_id: item.id }), fields: html`<input type="hidden" name="key_id" value="${item.id}">` })}</div></li>`;

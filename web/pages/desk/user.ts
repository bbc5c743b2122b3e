import { type Answer, purposeOf } from '../../../sdk/src/index.ts';
import { block } from '../../parts/block.ts';
import { confirmation, desk, hiddenFields, plainText } from '../../parts/desk.ts';
import { notice } from '../../parts/notice.ts';
import type { Said } from '../../parts/said.ts';
import { hasWallet, signedBy, signedForm } from '../../parts/signed-form.ts';
import { ago, count, cut } from '../../parts/words.ts';
import { deskPage } from '../../server/desk-page.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import type { FormVisit, OwnVisit } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';
import { noPage } from '../../server/problem-view.ts';

/** `/desk/users/{id}`: an account, its profile after a signature, and what an operator can do about it. */
export const user = deskPage({
  show: (visit, said, form) => shown(visit, said, { form, profile: null }),
  acts: {
    profile: async (visit) => {
      const profile = await visit.capstan.users.get({ id: visit.params.id ?? '' }, signedBy(visit.form));
      return shown(visit, null, { form: null, profile });
    },
    review,
    suspend: async ({ capstan, form, params: { id = '' } }) => {
      const suspended = form.get('suspended') === 'true';
      await capstan.users.suspend({ id, body: { suspended, reason: plainText(form.get('reason')) } }, signedBy(form));
      return { done: suspended ? 'account_suspended' : 'account_resumed' } as const;
    },
    tier: async ({ capstan, form, params: { id = '' } }) => {
      const [tier, from] = ['tier', 'from'].map((name) => form.get(name) ?? '') as [Tier, Tier];
      await capstan.users.setTier({ id, body: { tier, from, reason: plainText(form.get('reason')) } }, signedBy(form));
      return { done: 'tier_changed' } as const;
    },
    revoke: async ({ capstan, form, params: { id = '' } }) => {
      await capstan.users.revoke({ id, body: { reason: plainText(form.get('reason')) } }, signedBy(form));
      return { done: 'access_revoked' } as const;
    },
  },
});

type Account = Answer<'accounts.users.list'>['items'][number];
type Tier = Account['tier'];
type Profile = Answer<'accounts.users.get'>;

/** What each tier allows, in words. */
const TIERS: Record<Tier, string> = {
  free: 'free: 100 model requests a day',
  casual: 'casual: 500 model requests a day',
  pro: 'pro: unlimited model requests, and the scope admin',
};

interface State {
  /** A submission that was refused. */
  form: URLSearchParams | null;
  profile: Profile | null;
}

async function shown(visit: OwnVisit, said: Said | null, { form, profile }: State): Promise<View> {
  const { capstan, params, site, path } = visit;
  const account = await accountOf(visit);
  if (account === null) return noPage(path);
  const [log, canSign] = await Promise.all([capstan.audit.list({ user_id: account.id, limit: 10 }), hasWallet(visit)]);
  const content = html`${account.suspended_at !== null && notice({ look: 'bad', shape: 'circle-alert', title: html`Suspended ${ago(account.suspended_at, site.now())}.`, text: html`<bdi>${cut(account.suspended_reason, 500)}</bdi>` })}
${profileBlock(account, profile, canSign, site.now())}
${actions(account, form)}
${block({
  id: 'log',
  title: 'Latest audit log entries',
  beside: html`<span class="segs"><a href="/desk/audit?user_id=${params.id}">All</a></span>`,
  content:
    log.items.length === 0
      ? html`<p class="fine">None.</p>`
      : html`<ul class="bare">${log.items.map(({ at, means, reason }) => html`<li class="fine">${ago(at, site.now())}: ${means}${reason !== null && html` – “<bdi>${cut(reason, 200)}</bdi>”`}</li>`)}</ul>`,
})}`;
  return desk({ title: account.display_name, area: '/desk/users', said, content });
}

/** Null if there is no such account. */
async function accountOf({ capstan, params: { id = '' } }: OwnVisit): Promise<Account | null> {
  if (!/^[0-9a-f-]{36}$/.test(id)) return null;
  const { items } = await capstan.users.list({ search: id, limit: 5 });
  return items.find((item) => item.id === id) ?? null;
}

function profileBlock(account: Account, profile: Profile | null, canSign: boolean, nowMs: number): Html {
  const { id, tier, is_operator, is_proven, created_at } = account;
  const form = signedForm({
    name: 'profile',
    button: 'Show addresses and usage',
    look: 'plain small',
    confirms: purposeOf('accounts.users.get', { id }),
  });
  return block({
    id: 'account',
    title: 'Account',
    content: html`<p class="facts"><span>Created ${ago(created_at, nowMs)}</span><span>Tier ${tier}</span>${is_operator && html`<span class="tag acc">operator</span>`}${!is_proven && html`<span class="tag warn">unverified</span>`}</p><p class="fine"><code>${id}</code></p>
${profile !== null ? profileList(profile) : canSign ? html`${form}<p class="fine">Recorded in the audit log.</p>` : html`<p class="fine">To see addresses, <a href="/dashboard/account#devices">add this device</a> first: they need a confirmation.</p>`}`,
  });
}

function profileList(profile: Profile): Value {
  if (!('tier' in profile)) return null;
  const { identities, quota, storage, publisher } = profile;
  return html`<dl class="fields">${identities.map(({ method, name }) => html`<div><dt>${method}</dt><dd><bdi>${name}</bdi></dd></div>`)}
<div><dt>Model requests today</dt><dd>${count(quota.used)}${quota.limit !== null && ` of ${count(quota.limit)}`}</dd></div>
<div><dt>Storage</dt><dd>${count(storage.used_bytes)} of ${count(storage.limit_bytes)} bytes</dd></div>
${publisher !== null && html`<div><dt>Publisher</dt><dd><a href="/publishers/${publisher.id}"><bdi>${cut(publisher.name, 80)}</bdi></a></dd></div>`}</dl>`;
}

const reasonField = (hint: string, given: string | null | undefined): Html =>
  html`<label>Reason <span class="label">${hint}</span><input name="reason" required maxlength="500" value="${given ?? ''}"></label>`;

/** Each leads to a page that confirms it. */
function actions({ tier, is_operator, suspended_at }: Account, form: URLSearchParams | null): Html {
  const given = (name: string): string | null => (form?.get('do') === name ? form.get('reason') : null);
  const isOpen = (name: string): Value => form?.get('do') === name && html` open`;
  const isSuspended = suspended_at !== null;
  const asks = (what: string, fields: Value, button: string, look: string): Html =>
    html`<form method="post" class="asks"><input type="hidden" name="do" value="review"><input type="hidden" name="what" value="${what}">${fields}<p class="ways"><button type="submit" class="button ${look}">${button}</button></p></form>`;
  return block({
    id: 'actions',
    title: 'Change',
    content: html`<details${isOpen('tier')}><summary>Tier and quotas</summary>${asks('tier', html`${hiddenFields({ from: tier })}<label>Tier <select name="tier">${Object.entries(TIERS).map(([name, words]) => html`<option value="${name}"${name === tier && html` selected`}>${words}</option>`)}</select></label>${reasonField('for the audit log', given('tier'))}`, 'Change tier', 'plain')}</details>
<details${isOpen('revoke')}><summary>End sessions and keys</summary>${asks('revoke', reasonField('for the audit log', given('revoke')), 'End all sessions and keys', 'danger')}</details>
${
  is_operator && !isSuspended
    ? html`<p class="fine">An operator cannot be suspended. Remove the role first, on the server: <code>capstand users revoke-operator</code>.</p>`
    : html`<details${isOpen('suspend')}><summary>${isSuspended ? 'End the suspension' : 'Suspend'}</summary>${asks('suspend', html`${hiddenFields({ suspended: `${!isSuspended}` })}${reasonField(isSuspended ? 'for the audit log' : 'shown to the owner', given('suspend'))}`, isSuspended ? 'End the suspension' : 'Suspend', isSuspended ? 'plain' : 'danger')}</details>`
}`,
  });
}

interface Change {
  title: string;
  text: string;
  button: string;
  is_severe: boolean;
  /** Fields that the signature states. */
  states: Record<string, string>;
  fields: Record<string, string>;
}

function changeOf(form: URLSearchParams): Change | null {
  const of = (name: string): string => form.get(name) ?? '';
  const what = of('what');
  if (what === 'tier') {
    const fields = { tier: of('tier'), from: of('from') };
    const title = `Change the tier from ${fields.from} to ${fields.tier}`;
    return {
      title,
      text: `${TIERS[fields.tier as Tier] ?? fields.tier}.`,
      button: 'Change tier',
      is_severe: false,
      states: { tier: 'tier' },
      fields,
    };
  }
  if (what === 'revoke')
    return {
      title: 'End all sessions and keys',
      text: 'Every session ends and every API key is deleted. The owner can sign in again.',
      button: 'End all sessions and keys',
      is_severe: true,
      states: {},
      fields: {},
    };
  if (what !== 'suspend') return null;
  const isOn = of('suspended') === 'true';
  return {
    title: isOn ? 'Suspend the account' : 'End the suspension',
    text: isOn
      ? 'Its tokens, keys and endpoints are refused at once. The owner can read the reason, export the data and delete the account. What it published stays listed.'
      : 'The account works again, with its old sessions and keys.',
    button: isOn ? 'Suspend' : 'End the suspension',
    is_severe: isOn,
    states: { suspended: 'suspended' },
    fields: { suspended: `${isOn}` },
  };
}

const OPERATIONS = {
  tier: 'accounts.users.setTier',
  revoke: 'accounts.users.revoke',
  suspend: 'accounts.users.suspend',
} as const;

async function review(visit: FormVisit): Promise<View> {
  const { form, params, path } = visit;
  const account = await accountOf(visit);
  const change = changeOf(form);
  if (account === null || change === null) return noPage(path);
  const what = form.get('what') as keyof typeof OPERATIONS;
  const reason = plainText(form.get('reason'));
  const signed = (await hasWallet(visit))
    ? { confirms: purposeOf(OPERATIONS[what], { id: params.id ?? '' }), states: change.states }
    : undefined;
  return desk({
    title: 'Confirm the change',
    area: '/desk/users',
    said: null,
    content: confirmation({
      title: html`${change.title}: <bdi>${cut(account.display_name, 80)}</bdi>`,
      text: change.text,
      reason,
      read_by: what === 'suspend' ? 'Reason, for the owner and the audit log' : 'Reason, for the audit log',
      name: what,
      button: change.button,
      is_severe: change.is_severe,
      fields: { ...change.fields, reason },
      back: path,
      ...(signed === undefined ? {} : { signed }),
    }),
  });
}

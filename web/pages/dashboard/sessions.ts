import type { Operations, SignIn } from '../../../sdk/src/index.ts';
import { actButton, board, neighbours, offsetIn } from '../../parts/dashboard.ts';
import { ago, count, cut } from '../../parts/words.ts';
import { type Html, html } from '../../server/html.ts';
import { ownPage } from '../../server/own-page.ts';

/** `/dashboard/sessions`: every active session, including those of OAuth clients, and how to end it. */

const PAGE_SIZE = 50;

export const sessions = ownPage({
  show: async ({ capstan, query, site }, said) => {
    const [list, devices] = await Promise.all([
      capstan.signIns.list({ limit: PAGE_SIZE, offset: offsetIn(query) }),
      capstan.devices.list(),
    ]);
    const content = html`<p>Sessions last at most 30 days. End any session that you do not recognize, then <a href="/dashboard/account">review your account</a>.</p>
<h2 class="label">${count(list.total_count)} ${list.total_count === 1 ? 'session' : 'sessions'}</h2>
<ul class="rows">${list.items.map((signIn) => row(signIn, site.now()))}</ul>
${neighbours('/dashboard/sessions', list)}
${devices.items.length > 0 && knownDevices(devices.items, site.now())}
<section aria-labelledby="out"><h2 id="out">Sign out</h2><div class="ways">
<form method="post" action="/signout"><button type="submit" class="button">Sign out here</button></form>
${list.total_count > 1 && actButton('others', 'End all other sessions')}
<form method="post" action="/signout"><input type="hidden" name="all" value="1"><button type="submit" class="button plain">Sign out everywhere</button></form>
</div></section>`;
    return board({ title: 'Sessions', place: '/sessions', said, content });
  },
  acts: {
    end: async ({ capstan, form }) => {
      await capstan.signIns.delete({ id: form.get('id') ?? '' });
      return { done: 'session_ended' };
    },
    forget: async ({ capstan, form }) => {
      await capstan.devices.delete({ id: form.get('id') ?? '' });
      return { done: 'device_forgotten' };
    },
    others: async ({ capstan }) => {
      await capstan.signIns.deleteOthers();
      return { done: 'sessions_ended' };
    },
  },
});

type Device = Operations['devices']['list']['answer']['items'][number];

const knownDevices = (
  devices: readonly Device[],
  nowMs: number,
): Html => html`<section aria-labelledby="devices"><h2 id="devices">Known devices</h2>
<p>Browsers and apps that signed in by email. Failed sign-in attempts from elsewhere do not lock them out.</p>
<ul class="rows">${devices.map(
  (device) => html`<li><div class="what"><p><bdi>${cut(device.user_agent, 200)}</bdi></p>
<p class="facts"><span>last used ${ago(device.last_used_at, nowMs)}</span><span>since ${ago(device.created_at, nowMs)}</span></p></div>
<div class="does">${actButton('forget', 'Remove', { id: device.id })}</div></li>`,
)}</ul></section>`;

const METHODS: Record<SignIn['method'], string> = { wallet: 'Wallet', email: 'Email', google: 'Google' };

const row = (signIn: SignIn, nowMs: number): Html => html`<li>
<div class="what"><h3>${signIn.client === null ? METHODS[signIn.method] : html`<bdi>${cut(signIn.client.name, 80)}</bdi>`}${signIn.current && html` <span class="label">this session</span>`}</h3>
<p class="facts"><span>started ${ago(signIn.signed_in_at, nowMs)}</span><span>expires ${ago(signIn.expires_at, nowMs)}</span>${signIn.client !== null && html`<span>scopes: ${signIn.client.scopes.join(', ')}</span>`}</p>
${signIn.wallet !== null && html`<p class="fine"><code>${signIn.wallet}</code></p>`}
<p class="fine"><bdi>${cut(signIn.user_agent, 200)}</bdi></p></div>
${!signIn.current && html`<div class="does">${actButton('end', 'End', { id: signIn.id })}</div>`}
</li>`;

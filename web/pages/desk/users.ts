import type { Answer } from '../../../sdk/src/index.ts';
import { emptyState } from '../../parts/block.ts';
import { neighbours, offsetIn } from '../../parts/dashboard.ts';
import { desk, segments } from '../../parts/desk.ts';
import type { Said } from '../../parts/said.ts';
import { plainState } from '../../parts/state.ts';
import { ago, count, cut } from '../../parts/words.ts';
import { deskPage } from '../../server/desk-page.ts';
import { type Html, html } from '../../server/html.ts';
import type { OwnVisit } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/desk/users`: finds accounts. Addresses are on the page of an account, after a signature. */
export const users = deskPage({ show: shown });

const PATH = '/desk/users';
const PAGE_SIZE = 50;
const STATUSES = ['suspended', 'operator'] as const;

type Account = Answer<'accounts.users.list'>['items'][number];

async function shown({ capstan, query, site }: OwnVisit, said: Said | null): Promise<View> {
  const search = (query.get('search') ?? '').trim();
  const status = STATUSES.find((name) => name === query.get('status'));
  const offset = offsetIn(query);
  const kept = { ...(search === '' ? {} : { search }), ...(status === undefined ? {} : { status }) };
  const page = await capstan.users.list({ ...kept, limit: PAGE_SIZE, offset });
  const address = (of: Record<string, string>): string => `${PATH}?${new URLSearchParams(of)}`;
  const found = { ...(search === '' ? {} : { search }) };
  const content = html`<form class="asks find-account" role="search" aria-label="Accounts"><label>Name, id, email or wallet address <input name="search" type="search" maxlength="256" value="${search}" autocomplete="off" spellcheck="false"></label>${status !== undefined && html`<input type="hidden" name="status" value="${status}">`}<p><button type="submit" class="button plain">Find</button></p></form>
${
  page.items.length === 0
    ? emptyState({
        shape: 'search',
        title: 'No account found.',
        text: 'Enter a complete address, or part of a name.',
      })
    : html`<p class="fine">${count(page.total_count)} ${page.total_count === 1 ? 'account' : 'accounts'}</p><ul class="audit">${page.items.map((item) => row(item, site.now()))}</ul>${neighbours(PATH, page, kept)}`
}`;
  const beside = segments('Accounts', [
    { href: address(found), words: 'All', is_current: status === undefined },
    { href: address({ ...found, status: 'suspended' }), words: 'Suspended', is_current: status === 'suspended' },
    { href: address({ ...found, status: 'operator' }), words: 'Operators', is_current: status === 'operator' },
  ]);
  return desk({ title: 'Users', area: PATH, said, beside, content });
}

const row = (
  { id, display_name, tier, is_operator, is_proven, suspended_at, created_at }: Account,
  nowMs: number,
): Html =>
  html`<li><span class="label">${ago(created_at, nowMs)}</span><div><p><a href="${PATH}/${id}"><bdi>${cut(display_name, 80)}</bdi></a> <span class="tag">${tier}</span>${is_operator && html` <span class="tag acc">operator</span>`}${suspended_at !== null && html` ${plainState('bad', 'Suspended')}`}${!is_proven && html` <span class="tag warn">unverified</span>`}</p><p class="fine"><code>${id}</code></p></div></li>`;

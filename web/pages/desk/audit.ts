import type { Answer } from '../../../sdk/src/index.ts';
import { emptyState } from '../../parts/block.ts';
import { desk } from '../../parts/desk.ts';
import { icon } from '../../parts/icon.ts';
import { notice } from '../../parts/notice.ts';
import type { Said } from '../../parts/said.ts';
import { count, cut } from '../../parts/words.ts';
import { deskPage } from '../../server/desk-page.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import type { OwnVisit } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/desk/audit`: the audit log, filtered and page by page. */
export const audit = deskPage({ show: shown });

/** `/desk/audit/export`: what the filter matches, as JSON lines. */
export const auditExport = deskPage({
  show: async ({ capstan, query }) => {
    const lines: string[] = [];
    for await (const entry of await capstan.audit.export({ ...filterIn(query), limit: MOST_EXPORTED }))
      lines.push(JSON.stringify(entry));
    return { file_name: 'audit-log.jsonl', media_type: 'application/x-ndjson', body: `${lines.join('\n')}\n` };
  },
});

/** More are exported over the API, which continues after the last one. */
const MOST_EXPORTED = 20_000;
const PAGE_SIZE = 50;
const PATH = '/desk/audit';

type Filter = Partial<Record<'user_id' | 'action' | 'since' | 'until', string>>;
type Entry = Answer<'core.audit.list'>['items'][number];

const GROUPS: Record<string, string> = {
  auth: 'Sign-in and devices',
  users: 'Accounts and keys',
  sessions: 'Connections and endpoints',
  skills: 'Skill settings',
  tasks: 'Shared runs',
  trials: 'Runs without an account',
  marketplace: 'Publishing and moderation',
  registry: 'Syncs and imports',
  vault: 'Stored secrets',
  receipts: 'Receipt keys',
  service: 'Service starts',
  backup: 'Backups',
};

/** A date without a time begins the day in UTC. */
const timeIn = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00.000Z` : text);

function filterIn(query: URLSearchParams): Filter {
  const text = (name: string): string => (query.get(name) ?? '').trim();
  const entries = [
    ['user_id', text('user_id')],
    ['action', text('action')],
    ['since', timeIn(text('since'))],
    ['until', timeIn(text('until'))],
  ] as const;
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

async function shown({ capstan, query }: OwnVisit, said: Said | null): Promise<View> {
  const filter = filterIn(query);
  const before = Number(query.get('before') ?? 0);
  const from = Number.isSafeInteger(before) && before > 0 ? { before } : {};
  const { items, next_before } = await capstan.audit.list({ ...filter, ...from, limit: PAGE_SIZE });
  const verdict = query.get('verify') === '1' ? await capstan.audit.verify() : null;
  const address = (more: Record<string, string>): string => `${PATH}?${new URLSearchParams({ ...filter, ...more })}`;
  const exported = `${new URLSearchParams({ ...filter })}`;
  const content = html`${filterForm(query)}
${verdict !== null && verdictNotice(verdict)}
${
  items.length === 0
    ? emptyState({ shape: 'history', title: 'No entries.', text: 'No entries match these filters.' })
    : html`<ol class="audit">${items.map((item) => row(item, address))}</ol>
<nav class="pages" aria-label="Pages">${'before' in from ? html`<a href="${address({})}">← Newest</a>` : html`<span></span>`}${next_before !== null && html`<a rel="next" href="${address({ before: `${next_before}` })}">Older →</a>`}</nav>`
}`;
  const beside = html`<span class="acts"><a class="button plain small" href="${address({ verify: '1' })}">${icon('shield-check')}Verify</a> <a class="button plain small" href="${PATH}/export?${exported}">${icon('download')}Export</a></span>`;
  return desk({ title: 'Audit log', area: PATH, said, beside, content });
}

function filterForm(query: URLSearchParams): Html {
  const action = query.get('action') ?? '';
  const known = Object.entries(GROUPS);
  const other = action !== '' && GROUPS[action] === undefined;
  return html`<form class="asks audit-filter" role="search" aria-label="Filter">
<label>Account or target <input name="user_id" maxlength="100" value="${query.get('user_id') ?? ''}" autocomplete="off" spellcheck="false"></label>
<label>Action <select name="action"><option value="">All</option>${other && html`<option value="${action}" selected>${cut(action, 60)}</option>`}${known.map(([value, words]) => html`<option value="${value}"${value === action && html` selected`}>${words}</option>`)}</select></label>
<label>From <input type="date" name="since" value="${(query.get('since') ?? '').slice(0, 10)}"></label>
<label>Before <input type="date" name="until" value="${(query.get('until') ?? '').slice(0, 10)}"></label>
<p><button type="submit" class="button plain">Filter</button></p></form>`;
}

const verdictNotice = ({ intact, entries, faults, head }: Answer<'core.audit.verify'>): Html =>
  notice({
    look: intact ? 'good' : 'bad',
    shape: intact ? 'shield-check' : 'circle-alert',
    title: intact ? `${count(entries)} entries, unchanged.` : 'The log was changed.',
    text: html`${faults.map((fault) => html`${fault}. `)}Keep this to verify it again later: <code>${head}</code>`,
  });

const row = (
  { at, actor, action, target, detail, outcome, reason, address, means }: Entry,
  link: (more: Record<string, string>) => string,
): Html =>
  html`<li><time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)}</time><div><p><a href="${link({ action })}" title="${action}">${sentence(means || action)}</a>${outcome === 'refused' && html` <span class="tag warn">refused</span>`}</p>
<p class="fine">${who(actor, link)} → ${who(target, link)}${facts(detail)}${address !== null && html` · from ${address}`}</p>${reason !== null && html`<p class="fine" dir="auto">“${cut(reason, 500)}”</p>`}</div></li>`;

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

const ACTORS: Record<string, string> = { 'operator-cli': 'Terminal', service: 'The service', nobody: 'Nobody' };

const who = (id: string, link: (more: Record<string, string>) => string): Html =>
  html`<a href="${link({ user_id: id })}"><bdi>${ACTORS[id] ?? cut(id, 80)}</bdi></a>`;

function facts(detail: Entry['detail']): Value {
  const entries = Object.entries(detail as Record<string, unknown>).filter(
    ([, value]) => value !== '' && value !== null,
  );
  return entries
    .slice(0, 12)
    .map(
      ([name, value]) =>
        html` · ${name.replaceAll('_', ' ')}: <bdi>${cut(typeof value === 'string' ? value : JSON.stringify(value), 120)}</bdi>`,
    );
}

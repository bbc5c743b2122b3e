import { board } from '../../parts/dashboard.ts';
import { recentCalls } from '../../parts/recent-calls.ts';
import { html } from '../../server/html.ts';
import { ownPage } from '../../server/own-page.ts';

/** `/dashboard/calls`: every tool call of the reader, newest first. */

const PATH = '/dashboard/calls';
const PAGE_SIZE = 100;
const MOST_CONNECTIONS = 200;

export const calls = ownPage({
  show: async ({ capstan, query, site }, said) => {
    const before = query.get('before') ?? '';
    const asked = before === '' ? { limit: PAGE_SIZE } : { limit: PAGE_SIZE, before };
    const [{ items, next }, connections] = await Promise.all([
      capstan.receipts.list(asked),
      capstan.connections.list({ limit: MOST_CONNECTIONS }),
    ]);
    const shown = items.filter(({ tool }) => tool !== null);
    const content = html`${
      shown.length > 0
        ? recentCalls({ calls: shown, connections: connections.items, now_ms: site.now() })
        : html`<p class="empty">No tool calls ${before === '' ? 'yet' : 'on this page'}. Calls from your clients, from tasks and from these pages are listed here, each with its receipt.</p>`
    }
${(next !== null || before !== '') && html`<nav class="pages" aria-label="Pages">${before !== '' ? html`<a href="${PATH}">Newest</a>` : html`<span></span>`}${next !== null && html`<a rel="next" href="${PATH}?before=${encodeURIComponent(next)}">Older →</a>`}</nav>`}`;
    const trail = html`<a href="/dashboard/connections">Connections</a>`;
    return board({ title: 'Calls', place: '/connections', trail, said, content });
  },
});

import type { Input } from '../../../sdk/src/index.ts';
import { connectionList, connectionPath } from '../../parts/connection-list.ts';
import { board, neighbours, offsetIn } from '../../parts/dashboard.ts';
import { unfit } from '../../parts/json-input.ts';
import { count } from '../../parts/words.ts';
import { type Html, html } from '../../server/html.ts';
import { ownPage } from '../../server/own-page.ts';

/** `/dashboard/connections`: all connections, and a form for a new one to an address or a listing. `?listing=provider/id` fills it in. */

const PAGE_SIZE = 50;
const PATH = '/dashboard/connections';

export const connections = ownPage({
  show: async ({ capstan, query, site }, said, form) => {
    const list = await capstan.connections.list({ limit: PAGE_SIZE, offset: offsetIn(query) });
    const place = form?.get('place') ?? query.get('listing') ?? '';
    const content = html`${
      list.items.length > 0
        ? html`<h2 class="label">${count(list.total_count)} ${list.total_count === 1 ? 'connection' : 'connections'}</h2>${connectionList(list.items, site.now())}${neighbours(PATH, list)}`
        : html`<p class="empty">No connections yet. A connection stores your sign-in to one MCP server, so that you can call its tools from anywhere. <a href="/docs/connections">How it works</a>.</p>`
    }
${newForm(place, form)}`;
    return board({ title: 'Connections', place: '/connections', said, content });
  },
  acts: {
    connect: async ({ capstan, form }) => {
      const made = await capstan.connections.create({ body: bodyOf(form) });
      return { done: 'connection_made', to: connectionPath(made) };
    },
  },
});

function newForm(place: string, form: URLSearchParams | null): Html {
  return html`<section aria-labelledby="new"><h2 id="new">Connect to a server</h2>
<form method="post" action="${PATH}" class="stack"><input type="hidden" name="do" value="connect">
<label>Address or listing<input name="place" required value="${place}" placeholder="https://server.example/mcp" spellcheck="false" autocapitalize="none" autocomplete="off"></label>
<p class="fine">The address of an MCP server, or a listing of the <a href="/registry?listing_type=server">registry</a> as <code>provider/id</code>.</p>
<label>Name <span class="label">optional, defaults to the server’s name</span><input name="name" maxlength="100" value="${form?.get('name') ?? ''}" autocomplete="off"></label>
<label>Variables <span class="label">one <code>NAME=value</code> per line; add secrets afterwards</span><textarea name="variables" rows="2" spellcheck="false">${form?.get('variables') ?? ''}</textarea></label>
<div><button type="submit" class="button">Connect</button></div>
</form></section>`;
}

type Body = NonNullable<Input<'connections.connections.create'>['body']>;
type Listing = NonNullable<Body['listing']>;

function bodyOf(form: URLSearchParams): Body {
  const [place = '', name = ''] = ['place', 'name'].map((text) => (form.get(text) ?? '').trim());
  const variables = pairsIn(form.get('variables') ?? '');
  const more = { ...(name === '' ? {} : { name }), ...(variables === null ? {} : { variables }) };
  if (/^https?:/i.test(place)) return { url: place, ...more };
  const [provider = '', ...rest] = place.replace(/^\/?registry\//, '').split('/');
  if (rest.length === 0) throw unfit('/place', 'an address that starts with https://, or provider/id of a listing');
  return { listing: { provider: provider as Listing['provider'], external_id: rest.join('/') }, ...more };
}

/** Null if there are none. */
function pairsIn(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line): [string, string] => {
    const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=(.*)$/.exec(line.replace(/\r$/, '')) ?? [];
    if (name === '') throw unfit('/variables', 'one NAME=value per line');
    return [name, value.trim()];
  });
  return pairs.length === 0 ? null : Object.fromEntries(pairs);
}

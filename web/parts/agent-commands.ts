import { type Html, html } from '../server/html.ts';
import { copyable } from './copy.ts';

/** One command per client to use this service from an agent. Searching needs no account. */

interface Client {
  id: string;
  title: string;
  /** Of the address of the MCP endpoint. */
  command(url: string): string;
  /** Where the text goes if it is no command. */
  into?: string;
}

const CLIENTS: readonly [Client, ...Client[]] = [
  { id: 'claude-code', title: 'Claude Code', command: (url) => `claude mcp add --transport http capstan ${url}` },
  {
    id: 'cursor',
    title: 'Cursor',
    command: (url) => JSON.stringify({ mcpServers: { capstan: { url } } }, null, 2),
    into: '~/.cursor/mcp.json',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    command: (url) => `code --add-mcp '${JSON.stringify({ name: 'capstan', type: 'http', url })}'`,
  },
  { id: 'codex', title: 'Codex', command: (url) => `codex mcp add capstan --url ${url}` },
];

/** `chosen` is the client of the address, such as `cursor`. */
export function agentCommands(baseUrl: string, chosen: string): Html {
  const shown = CLIENTS.find(({ id }) => id === chosen) ?? CLIENTS[0];
  return html`<section id="agent" aria-labelledby="agent-title"><h2 id="agent-title">Use it from your agent</h2>
<div class="steps">
<nav class="segs" aria-label="Client">${CLIENTS.map(({ id, title }) => html`<a href="/?client=${id}#agent"${id === shown.id && html` aria-current="true"`}>${title}</a>`)}</nav>
${shown.into !== undefined && html`<p class="fine">Add it to <code>${shown.into}</code>:</p>`}
${copyable(shown.command(`${baseUrl}/mcp/jsonrpc`), `setup for ${shown.title}`)}
<p class="fine">Searching needs no account. <a href="/docs/first-rig">From a search to a receipt</a></p>
</div>
</section>`;
}

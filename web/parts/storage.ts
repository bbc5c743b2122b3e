import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';

type Storage = Operations['signIns']['getCurrent']['answer']['storage'];
type Kind = Storage['kinds'][number]['kind'];

const NAMES: Record<Kind, string> = {
  tasks: 'Runs',
  traces: 'Traces',
  receipts: 'Receipts',
  conversations: 'Conversations',
  connections: 'Connections',
  memory: 'Harnesses and memories',
  rigs: 'Rigs',
  skills: 'Skill settings',
  published: 'Published versions',
  idempotency: 'Idempotency records',
  audit: 'Audit entries',
};

/** How much of the account's storage is used. */
export const storageLine = ({ used_bytes, limit_bytes }: Storage): Html =>
  html`${shortBytes(used_bytes)} <span class="label">of ${shortBytes(limit_bytes)}</span>
<progress value="${Math.min(used_bytes, limit_bytes)}" max="${limit_bytes}" aria-label="Storage used"></progress>`;

/** Usage by kind, largest first. */
export function storageBlock(storage: Storage): Html {
  const kinds = storage.kinds.toSorted((a, b) => b.used_bytes - a.used_bytes);
  return html`<section aria-labelledby="storage"><h2 id="storage">Storage</h2>
<p>${storageLine(storage)}</p>
<p class="label">Delete tasks, conversations or harnesses to free up storage. Receipts and audit entries are always kept and do not count towards the limit.</p>
<table aria-labelledby="storage"><thead><tr><th scope="col">Kind</th><th scope="col">Used</th><th scope="col">Limit</th></tr></thead>
<tbody>${kinds.map(
    ({ kind, used_bytes, limit_bytes }) =>
      html`<tr><th scope="row">${NAMES[kind]}</th><td>${shortBytes(used_bytes)}</td><td>${limit_bytes === null ? 'always kept' : shortBytes(limit_bytes)}</td></tr>`,
  )}</tbody></table></section>`;
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** 1,204,224 bytes read "1.2 MB". Units are decimal, like the limits. */
function shortBytes(bytes: number): string {
  const at = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const size = bytes / 1_000 ** at;
  return `${size < 10 && at > 0 ? size.toFixed(1) : Math.round(size)} ${UNITS[at]}`;
}

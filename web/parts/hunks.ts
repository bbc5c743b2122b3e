import { type Html, html } from '../server/html.ts';
import type { Hunk } from './line-diff.ts';

const MARKS = { added: '+', removed: '-', same: ' ' } as const;

/** Differences as lines, which can be read without colours. */
export const hunksView = (hunks: readonly Hunk[], label: string): Html =>
  html`<pre class="diff" tabindex="0" aria-label="${label}"><code>${hunks.map(hunk)}</code></pre>`;

const hunk = ({ head, lines }: Hunk): Html => html`<span class="at">${head}</span>
${lines.map(({ kind, text }) => {
  const line = `${MARKS[kind]}${text}`;
  return kind === 'added' ? html`<ins>${line}</ins>\n` : kind === 'removed' ? html`<del>${line}</del>\n` : `${line}\n`;
})}`;

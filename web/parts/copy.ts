import { type Html, html } from '../server/html.ts';

/** A text to take along: a button copies it where scripts run; without them it can be selected. */
export const copyable = (text: string, label: string): Html =>
  html`<div class="copy" data-island="copy"><pre tabindex="0"><code>${text}</code></pre><button type="button" aria-label="Copy: ${label}" hidden>Copy</button></div>`;

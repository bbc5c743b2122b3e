import { type Html, html } from '../server/html.ts';

/** Text with a copy button, which needs scripts. Without them the text can be selected. */
export const copyable = (text: string, label: string): Html =>
  html`<div class="copy" data-island="copy"><pre tabindex="0"><code>${text}</code></pre><button type="button" aria-label="Copy: ${label}" hidden>Copy</button></div>`;

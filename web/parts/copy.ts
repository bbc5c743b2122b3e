import { type Html, html } from '../server/html.ts';
import { icon } from './icon.ts';

/** Shown by its script, where the browser has a clipboard. */
export const copyButton = (label: string): Html =>
  html`<button type="button" aria-label="Copy: ${label}" title="Copy" hidden>${icon('copy')}${icon('check')}</button><span class="hidden" role="status"></span>`;

/** Text with a copy button, which needs scripts. Without them the text can be selected. */
export const copyable = (text: string, label: string): Html =>
  html`<div class="copy" data-island="copy"><pre tabindex="0"><code>${text}</code></pre>${copyButton(label)}</div>`;

import { type Html, html } from '../server/html.ts';
import { jsonText } from './json-text.ts';
import { count } from './words.ts';

/** Shows a value: strings as text, everything else as indented JSON, cut if it is long. */

const MOST_CHARACTERS = 100_000;

/** `whole` is the address of the complete value. */
export function jsonView(value: unknown, whole: string): Html {
  const { text, is_cut } = typeof value === 'string' ? cutText(value) : jsonText(value, MOST_CHARACTERS);
  return html`<pre class="value" tabindex="0" dir="auto"><code>${text}</code></pre>
${is_cut && html`<p class="fine">Truncated to ${count(MOST_CHARACTERS)} characters. <a href="${whole}" download>Download the full value</a>.</p>`}`;
}

const cutText = (text: string): { text: string; is_cut: boolean } =>
  text.length <= MOST_CHARACTERS
    ? { text, is_cut: false }
    : { text: text.slice(0, MOST_CHARACTERS).toWellFormed(), is_cut: true };

export const bytesText = (bytes: number): string =>
  bytes < 1_024
    ? `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
    : bytes < 1_048_576
      ? `${(bytes / 1_024).toFixed(1)} KiB`
      : `${(bytes / 1_048_576).toFixed(1)} MiB`;

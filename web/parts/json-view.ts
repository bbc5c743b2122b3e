import { type Html, html } from '../server/html.ts';

/** Shows a value: strings as text, everything else as indented JSON, cut if it is long. */

const MOST_CHARACTERS = 100_000;

/** `whole` is the address of the complete value. */
export function jsonView(value: unknown, whole: string): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const isCut = text.length > MOST_CHARACTERS;
  return html`<pre class="value" tabindex="0" dir="auto"><code>${isCut ? text.slice(0, MOST_CHARACTERS).toWellFormed() : text}</code></pre>
${isCut && html`<p class="fine">Truncated to ${MOST_CHARACTERS} characters. <a href="${whole}">Download the full value</a>.</p>`}`;
}

export const bytesText = (bytes: number): string =>
  bytes < 1_024
    ? `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
    : bytes < 1_048_576
      ? `${(bytes / 1_024).toFixed(1)} KiB`
      : `${(bytes / 1_048_576).toFixed(1)} MiB`;

import { type Html, html } from '../server/html.ts';

/** A value as one reads it: text as text, all else as indented JSON, cut where it is long. */

const MOST_CHARACTERS = 100_000;

/** `whole`: where all of it is to be had. */
export function jsonView(value: unknown, whole: string): Html {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const isCut = text.length > MOST_CHARACTERS;
  return html`<pre class="value" tabindex="0" dir="auto"><code>${isCut ? text.slice(0, MOST_CHARACTERS).toWellFormed() : text}</code></pre>
${isCut && html`<p class="fine">Cut after ${MOST_CHARACTERS} characters. <a href="${whole}">Download all of it</a>.</p>`}`;
}

export const bytesText = (bytes: number): string =>
  bytes < 1_024
    ? `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
    : bytes < 1_048_576
      ? `${(bytes / 1_024).toFixed(1)} KiB`
      : `${(bytes / 1_048_576).toFixed(1)} MiB`;

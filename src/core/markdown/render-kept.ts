import { createHash } from 'node:crypto';
import type { Share } from '#core/fair-queue/share.ts';
import { createKeptWork } from '#core/workers/kept-work.ts';
import { workKind } from '#core/workers/kind.ts';
import type { WorkerPool } from '#core/workers/worker-pool.ts';
import { renderMarkdown } from './render.ts';

/**
 * Renders untrusted Markdown as safe HTML, once per text, and caches it. Anything longer than a paragraph is rendered
 * in a worker thread, in the share of the requester. Text that cannot be rendered is shown unchanged with a note.
 */
export type RenderKept = (text: string, share: Share) => Promise<string>;

interface RenderKeptOptions {
  pool?: Pick<WorkerPool, 'run'>;
  /** Maximum size of cached HTML. */
  most_kept_bytes?: number;
}

const RENDER = workKind<typeof import('./render-work.ts')>(new URL('./render-work.ts', import.meta.url));

/** In UTF-16 units. No published README on a page is longer. */
export const MOST_RENDERED = 256 * 1024;
/** The slowest text of this length takes a few milliseconds, about as long as passing it to a thread. */
const MOST_AT_ONCE = 1_000;
const KEPT_BYTES = 16 * 1024 * 1024;

export function createRenderKept({ pool, most_kept_bytes = KEPT_BYTES }: RenderKeptOptions = {}): RenderKept {
  const bytesOf = (html: string): number => 2 * html.length;
  const render = createKeptWork({ kind: RENDER, pool, most_kept_bytes, bytesOf });
  return async (text, share) => {
    if (text.length <= MOST_AT_ONCE) return renderMarkdown(text);
    if (text.length > MOST_RENDERED) return asWritten(text, 'This text is too long to format.');
    const outcome = await render(createHash('sha256').update(text).digest('base64'), text, share);
    if (outcome.status === 'done') return outcome.answer;
    return outcome.status === 'failed'
      ? asWritten(text, 'This text takes too long to format.')
      : asWritten(text, 'The service is busy. Reload the page to see this text formatted.');
  };
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const asWritten = (text: string, note: string): string =>
  `<p class="fine">${note}</p>\n<pre><code>${text.replace(/[&<>"]/g, (char) => ESCAPED[char] ?? char)}</code></pre>\n`;

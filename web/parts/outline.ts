import { type Html, html, raw } from '../server/html.ts';

/** Links to the sections of a rendered guide; null if there are too few to choose from. */
export function outline(rendered: string): Html | null {
  const sections = [...rendered.matchAll(/<h2 id="([^"]+)">((?:(?!<\/h2>).)+)<\/h2>/g)];
  if (sections.length < 3) return null;
  return html`<nav class="toc outline" aria-label="On this page"><section><h2>On this page</h2>
<ul>${sections.map(([, id, text = '']) => html`<li><a href="#${id as string}">${raw(text.replace(/<[^<>]*>/g, ''))}</a></li>`)}</ul></section></nav>`;
}

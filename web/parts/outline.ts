import { type Html, html, raw } from '../server/html.ts';

/** Links to the sections of a rendered guide; null if there are too few to choose from. */
export function outline(rendered: string): Html | null {
  const sections = rendered
    .split('<h2 id="')
    .slice(1)
    .map((part) => {
      const heading = part.slice(0, part.indexOf('</h2>'));
      const textAt = heading.indexOf('">');
      return { id: heading.slice(0, textAt), text: heading.slice(textAt + 2).replace(/<[^<>]*>/g, '') };
    });
  if (sections.length < 3) return null;
  return html`<nav class="toc outline" aria-label="On this page"><section><h2>On this page</h2>
<ul>${sections.map(({ id, text }) => html`<li><a href="#${id}">${raw(text)}</a></li>`)}</ul></section></nav>`;
}

import type { Site } from '../server/page.ts';
import { anchorOf } from './guide-links.ts';
import { titleOf } from './guides.ts';
import { operationsOf } from './openapi.ts';

/** What the search of the docs finds: sections of guides, operations of the API, error codes. */
export interface DocsPiece {
  kind: 'Guide' | 'API' | 'Error code';
  title: string;
  href: string;
  /** The guide or the chapter that it belongs to. */
  within: string;
  /** Markdown. */
  text: string;
}

export async function docsPieces(site: Pick<Site, 'guides' | 'openapi' | 'problem_codes'>): Promise<DocsPiece[]> {
  const [guides, document, codes] = await Promise.all([site.guides(), site.openapi(), site.problem_codes()]);
  return [
    ...[...guides].flatMap(([name, text]) => guidePieces(name, text)),
    ...document.tags.flatMap((tag) =>
      operationsOf(document, tag.name).map(
        ({ id, method, path, summary, description }): DocsPiece => ({
          kind: 'API',
          title: summary,
          href: `/reference/${tag.name}#${id}`,
          within: `${method} ${path}`,
          text: description,
        }),
      ),
    ),
    ...codes.map(
      ({ code, meaning, reasons }): DocsPiece => ({
        kind: 'Error code',
        title: code,
        href: `/docs/errors/${code}`,
        within: '',
        text: `${meaning} ${reasons.join(' ')}`,
      }),
    ),
  ];
}

/** A guide up to its first section, and each section. A `## ` line in a code block is none. */
export function guidePieces(name: string, text: string): DocsPiece[] {
  const guide = titleOf(text);
  const pieces = [{ title: guide, lines: [] as string[] }];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    if (!isCode && line.startsWith('## ')) pieces.push({ title: line.slice(3).replace(/`/g, ''), lines: [] });
    else if (!line.startsWith('# ') || isCode) pieces.at(-1)?.lines.push(line);
  }
  return pieces.map(({ title, lines }, at) => ({
    kind: 'Guide',
    title,
    href: at === 0 ? `/docs/${name}` : `/docs/${name}#${anchorOf(title)}`,
    within: at === 0 ? '' : guide,
    text: lines.join('\n').trim(),
  }));
}

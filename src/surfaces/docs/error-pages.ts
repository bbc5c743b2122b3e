import { readdir, readFile } from 'node:fs/promises';
import type { ProblemNotes } from '#core/http/openapi/problems.ts';
import type { ProblemKind } from '#core/problem/problem.ts';

/** The pages of docs/errors, one per problem code. */

const DIRECTORY = new URL('../../../docs/errors/', import.meta.url);

/** Code to Markdown. */
export type ErrorPages = ReadonlyMap<string, string>;

export async function loadErrorPages(): Promise<ErrorPages> {
  const files = (await readdir(DIRECTORY)).filter((file) => file.endsWith('.md')).toSorted();
  const pages = files.map(
    async (file): Promise<[string, string]> => [
      file.slice(0, -'.md'.length),
      await readFile(new URL(file, DIRECTORY), 'utf8'),
    ],
  );
  return new Map(await Promise.all(pages));
}

/** The first sentence after the title. */
export function meaningOf(markdown: string): string {
  const [, paragraph = ''] = markdown.split(/\n\s*\n/);
  const text = paragraph
    .replace(/^\*\*[^*]+\*\*\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.replace(/:$/, '.');
}

/** The meanings of the contract's problem codes. A code without a page means its own name until the page exists. */
export const notesOf = (kinds: Record<string, ProblemKind>, pages: ErrorPages): ProblemNotes =>
  Object.fromEntries(
    Object.entries(kinds).map(([code, kind]) => [code, { kind, meaning: meaningOf(pages.get(code) ?? '') || code }]),
  );

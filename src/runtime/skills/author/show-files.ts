import { codeBlock } from '#core/markdown/escape.ts';
import { toGiven } from '../checks/given-files.ts';
import type { Authored } from './authored.ts';

/** Names and sizes, with the full files if they are requested in the text. */
export function showFiles(
  what: string,
  { files, made_by, reason }: Pick<Authored<unknown>, 'files' | 'made_by' | 'reason'>,
  whole: boolean,
): string {
  const by = reason === null ? `written by ${made_by}` : `written from the template: ${reason}`;
  const listed = [...files].map(([path, bytes]) => `- ${path} (${bytes.length} bytes)`);
  const contents = toGiven(files).flatMap(({ path, content }) =>
    content === undefined ? [] : [`\n${path}\n${codeBlock(content)}`],
  );
  const rest = whole ? contents : ['The files are in the structured result; in_text: true shows them here.'];
  return [`${what}, ${by}`, ...listed, ...rest].join('\n');
}

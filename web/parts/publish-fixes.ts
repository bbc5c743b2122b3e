import type { DraftFile } from './packed-files.ts';
import type { Checked } from './publish-draft.ts';

/** What one button can mend about the files to publish. Pure. */

export type Finding = Checked['findings']['items'][number];

interface Fix {
  /** The text of the button. */
  words: string;
  apply(files: readonly DraftFile[]): readonly DraftFile[];
}

/** The value of the button that mends a finding, which names it in the next request. */
export const fixName = ({ rule, path, line }: Pick<Finding, 'rule' | 'path' | 'line'>): string =>
  `fix ${rule} ${line} ${path}`;

/** The finding that a button names. */
export function namedFix(name: string): Pick<Finding, 'rule' | 'path' | 'line'> | null {
  const [, rule, line, path] = /^fix ([a-z-]{1,60}) (\d{1,9}) (.{1,500})$/s.exec(name) ?? [];
  return rule === undefined || path === undefined ? null : { rule, line: Number(line), path };
}

/** Null if only its author can mend it. */
export function fixOf(files: readonly DraftFile[], finding: Pick<Finding, 'rule' | 'path' | 'line'>): Fix | null {
  const { rule, path } = finding;
  const isThere = files.some((file) => file.path === path);
  switch (rule) {
    case 'entry-missing':
      return entryFix(files, finding);
    case 'link-broken':
    case 'link-outside':
      return lineFix(finding, files, 'Remove the link', (line) =>
        line.replace(/(?<!!)\[([^\]\n]{1,500})\]\([^()\n]{0,1000}\)/g, '$1'),
      );
    case 'script-line-ends':
      return isThere
        ? { words: 'Use line feeds', apply: (all) => edited(all, path, (text) => text.replaceAll('\r\n', '\n')) }
        : null;
    case 'path-hidden':
    case 'path-plain':
    case 'path-not-plain':
    case 'path-outside':
      return isThere && files.length > 1
        ? { words: 'Leave the file out', apply: (all) => all.filter((file) => file.path !== path) }
        : null;
    case 'hidden-character':
    case 'hidden-text':
      return lineFix(finding, files, 'Remove the characters', (line) => line.replace(HIDDEN, ''));
    default:
      return null;
  }
}

const HIDDEN = /[\p{Cf}\p{Co}\u2028\u2029]/gu;
const RUNS_HERE = /^scripts\/[^/]+\.(?:sh|py|js|mjs)$/;

/** Names the only script. */
function entryFix(files: readonly DraftFile[], { path, line }: Pick<Finding, 'path' | 'line'>): Fix | null {
  const scripts = files.filter((file) => RUNS_HERE.test(file.path));
  const text = files.find((file) => file.path === path)?.content;
  const [script] = scripts;
  const written = lineAt(text, line) ?? '';
  const [, indent, key] = /^([ \t]+)(capstan-[a-z-]+):/.exec(written) ?? [];
  if (script === undefined || scripts.length > 1 || indent === undefined) return null;
  const entry = `${indent}capstan-entry: ${script.path}`;
  const words = `Use ${script.path}`;
  return {
    words,
    apply: (all) =>
      edited(all, path, (whole) =>
        linesOf(whole, line, () => (key === 'capstan-entry' ? entry : `${written}\n${entry}`)),
      ),
  };
}

function lineFix(
  { path, line }: Pick<Finding, 'path' | 'line'>,
  files: readonly DraftFile[],
  words: string,
  change: (line: string) => string,
): Fix | null {
  const text = files.find((file) => file.path === path)?.content;
  const written = lineAt(text, line);
  if (written === undefined || change(written) === written) return null;
  return { words, apply: (all) => edited(all, path, (whole) => linesOf(whole, line, change)) };
}

/** Lines below are not shown, and so have no button. */
const MOST_LINES = 1_500;

const lineAt = (text: string | undefined, line: number): string | undefined =>
  line > MOST_LINES ? undefined : text?.split('\n', line)[line - 1];

const linesOf = (text: string, line: number, change: (line: string) => string): string =>
  text
    .split('\n')
    .map((written, at) => (at === line - 1 ? change(written) : written))
    .join('\n');

const edited = (files: readonly DraftFile[], path: string, change: (text: string) => string): readonly DraftFile[] =>
  files.map((file) =>
    file.path === path && file.content !== undefined ? { path, content: change(file.content) } : file,
  );

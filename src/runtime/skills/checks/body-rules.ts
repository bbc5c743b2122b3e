import { error, openReport, quoted, type Violation, warning } from '#catalog/checks/violation.ts';
import { placesIn } from '#core/text/lines.ts';
import type { Frontmatter } from '../frontmatter.ts';
import { fileLinks, resolveLink } from './link-rules.ts';

/** Rules for the Markdown of SKILL.md. Pure. */

export const BODY_RULES = {
  'body-empty': warning('Write down the steps: a model gets nothing but this text.'),
  'body-long': warning('Keep it under 500 lines and 20,000 characters; move details to files under references/.'),
  'link-broken': error('Add the file, or correct the link.'),
  'link-outside': error('Link to files of this directory by relative paths, and to others by their web address.'),
  'file-not-there': warning('Add the file, or correct the path.'),
};

const MOST_LINES = 500;
const MOST_CHARS = 20_000;
/** A report shows fewer; this only ends the search. */
const MOST_MISSING = 200;

export function bodyViolations(
  { body, body_line }: Pick<Frontmatter, 'body' | 'body_line'>,
  paths: readonly string[],
  main = 'SKILL.md',
): Violation[] {
  const report = openReport(BODY_RULES);
  const first = { line: body_line, column: 1 };
  if (body.trim() === '') report.add('body-empty', main, 'There is nothing after the frontmatter.', first);
  const lines = body.split('\n').length;
  if (lines > MOST_LINES || body.length > MOST_CHARS)
    report.add(
      'body-long',
      main,
      `The body has ${lines} lines and ${body.length} characters, which a model loads whole.`,
      first,
    );
  return [
    ...report.violations(),
    ...linkViolations(main, body, body_line, paths),
    ...mentionViolations(main, body, body_line, paths),
  ];
}

/** Links of one Markdown file to files of the directory. */
export function linkViolations(
  path: string,
  markdown: string,
  first_line: number,
  paths: readonly string[],
): Violation[] {
  const report = openReport(BODY_RULES);
  const isThere = lookUpOf(paths);
  for (const { target, place } of fileLinks(markdown, first_line)) {
    const resolved = resolveLink(path, target);
    if (resolved === null)
      report.add('link-outside', path, `The link to ${quoted(target)} leads out of the directory.`, place);
    else if (!isThere(resolved))
      report.add('link-broken', path, `The link leads to ${quoted(target)}, which does not exist.`, place);
  }
  return report.violations();
}

/** Paths in code and prose, such as `python3 scripts/run.py`; after a bracket stands what is a link. */
function mentionViolations(path: string, body: string, firstLine: number, paths: readonly string[]): Violation[] {
  const report = openReport(BODY_RULES);
  const placeAt = placesIn(body, firstLine);
  const isThere = lookUpOf(paths);
  let missing = 0;
  for (const { 0: found, index } of body.matchAll(
    /(?<![\w./(<-])(?<!\]:[ \t]{0,4})(?:scripts|references|assets)\/[\w./-]{1,150}/g,
  )) {
    const target = found.replace(/[./-]{1,150}$/, '');
    if (isThere(target)) continue;
    report.add('file-not-there', path, `${quoted(target)} is named, but does not exist.`, placeAt(index));
    if (++missing === MOST_MISSING) break;
  }
  return report.violations();
}

/** Whether a path is one of the files, or a directory of one. */
function lookUpOf(paths: readonly string[]): (path: string) => boolean {
  const known = new Set(['']);
  for (const path of paths) {
    known.add(path);
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
      known.add(path.slice(0, slash));
  }
  return (path) => known.has(path);
}

import { error, openReport, quoted, type Violation, warning } from '#catalog/checks/violation.ts';

/** Rules for the paths of a directory that others will unpack, whatever is in it. Pure. */

export const PATH_RULES = {
  'path-outside': error('Use a path relative to the directory, such as references/notes.md.'),
  'path-characters': error('Use letters, digits, dots, hyphens and underscores.'),
  'path-twice': error('Give each path once.'),
  'path-case': error('Rename one: many file systems cannot store both.'),
  'path-both': error('Rename one: a path is a file or a directory.'),
  'path-long': error('Use at most 200 characters and 8 levels.'),
  'path-not-plain': warning(
    'Use letters, digits, dots, hyphens and underscores, so that every system and shell accepts it.',
  ),
  'path-hidden': warning('Leave it out: hidden files are not installed.'),
};

const MOST_CHARS = 200;
const MOST_LEVELS = 8;
/** Names that Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** All given paths, including duplicates. */
export function pathViolations(paths: readonly string[]): Violation[] {
  const report = openReport(PATH_RULES);
  for (const path of paths) checkPath(path, report);
  const seen = new Map<string, string>();
  for (const path of paths) {
    const folded = path.normalize('NFC').toLowerCase();
    const other = seen.get(folded);
    if (other === path) report.add('path-twice', path, `${quoted(path)} is given more than once.`);
    else if (other !== undefined)
      report.add('path-case', path, `${quoted(path)} differs from ${quoted(other)} only in case.`);
    else seen.set(folded, path);
  }
  for (const path of new Set(paths))
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
      if (seen.has(path.slice(0, slash).normalize('NFC').toLowerCase()))
        report.add('path-both', path, `${quoted(path.slice(0, slash))} is a file and a directory.`);
  return report.violations();
}

function checkPath(path: string, report: ReturnType<typeof openReport<keyof typeof PATH_RULES>>): void {
  const segments = path.split('/');
  const name = quoted(path);
  if (path === '' || path.startsWith('/') || /^[a-z]:/i.test(path))
    report.add('path-outside', path, `${name} is not a path relative to the directory.`);
  else if (segments.includes('..')) report.add('path-outside', path, `${name} is outside the directory.`);
  else if (segments.some((segment) => segment === '' || segment === '.'))
    report.add('path-outside', path, `${name} has an empty part or a single dot.`);
  else if (/[\\\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u.test(path))
    report.add('path-characters', path, `${name} contains a backslash or an invisible character.`);
  else if (path.length > MOST_CHARS || segments.length > MOST_LEVELS)
    report.add('path-long', path, `${name} is over ${MOST_CHARS} characters or ${MOST_LEVELS} levels.`);
  else if (segments.some((segment) => segment.startsWith('.'))) report.add('path-hidden', path, `${name} is hidden.`);
  else if (
    segments.some(
      (segment) => !/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(segment) || segment.endsWith('.') || DEVICE.test(segment),
    )
  )
    report.add('path-not-plain', path, `${name} is not a portable file name.`);
}

import { editDistance } from '../../platform/edit-distance.ts';

/** Licences as SPDX expressions: their form, and whether the names in them are ones that we know. Pure. */

export const MOST_LICENSE_CHARS = 200;

/** The ones most in use; others are taken too, and told as a finding. */
const COMMON = [
  ...['0BSD', 'AFL-3.0', 'AGPL-3.0-only', 'AGPL-3.0-or-later', 'Apache-2.0', 'Artistic-2.0', 'BlueOak-1.0.0'],
  ...['BSD-2-Clause', 'BSD-3-Clause', 'BSD-3-Clause-Clear', 'BSD-4-Clause', 'BSL-1.0', 'BUSL-1.1'],
  ...['CC-BY-3.0', 'CC-BY-4.0', 'CC-BY-SA-3.0', 'CC-BY-SA-4.0', 'CC-BY-NC-4.0', 'CC-BY-NC-SA-4.0', 'CC-BY-ND-4.0'],
  ...['CC0-1.0', 'CDDL-1.0', 'ECL-2.0', 'Elastic-2.0', 'EPL-1.0', 'EPL-2.0', 'EUPL-1.2', 'GFDL-1.3-or-later'],
  ...['GPL-2.0-only', 'GPL-2.0-or-later', 'GPL-3.0-only', 'GPL-3.0-or-later', 'ISC', 'LGPL-2.1-only'],
  ...['LGPL-2.1-or-later', 'LGPL-3.0-only', 'LGPL-3.0-or-later', 'MIT', 'MIT-0', 'MPL-2.0', 'MS-PL', 'MulanPSL-2.0'],
  ...['NCSA', 'OFL-1.1', 'OpenSSL', 'PolyForm-Noncommercial-1.0.0', 'PostgreSQL', 'PSF-2.0', 'SSPL-1.0', 'Unicode-3.0'],
  ...['Unlicense', 'UPL-1.0', 'Vim', 'W3C', 'WTFPL', 'X11', 'Zlib', 'ZPL-2.1', 'NONE', 'NOASSERTION'],
];
const BY_NAME = new Map(COMMON.map((it) => [it.toLowerCase(), it]));

const TOKEN = /\s*([()]|[^\s()]+)/gy;
const ID = /^(?:LicenseRef-[A-Za-z0-9.-]{1,80}|[A-Za-z0-9][A-Za-z0-9.-]{0,63}\+?)$/;

/** Null where it is an expression, such as `MIT OR Apache-2.0`; else what is wrong with it. */
export function licenseFault(text: string): string | null {
  const tokens = [...text.trim().matchAll(TOKEN)].map(([, token]) => token as string);
  if (tokens.length === 0 || text.length > MOST_LICENSE_CHARS) return 'is empty or too long';
  let depth = 0;
  let wants_name = true;
  for (const [at, token] of tokens.entries()) {
    if (wants_name && token === '(') depth++;
    else if (wants_name && ID.test(token) && !isOperator(token)) wants_name = false;
    else if (!wants_name && token === ')' && depth > 0) depth--;
    else if (!wants_name && isOperator(token)) wants_name = true;
    else return nearestOf(text) ?? `is no SPDX expression at part ${at + 1}`;
  }
  return wants_name || depth > 0 ? 'is not complete' : null;
}

/** Names in an expression that are none of the common ones. Names are compared without case, as SPDX has it. */
export const uncommonLicenses = (text: string): string[] =>
  text
    .split(/[\s()]+/)
    .filter((it) => it !== '' && !isOperator(it) && !it.startsWith('LicenseRef-'))
    .filter((it, at, all) => !isException(all[at - 1]) && !BY_NAME.has(it.replace(/\+$/, '').toLowerCase()));

export const nearestLicense = (name: string): string | null => {
  const wanted = name.toLowerCase().replace(/[\s_]+/g, '-');
  const near = COMMON.map((it) => [it, editDistance(wanted.slice(0, 80), it.toLowerCase())] as const).toSorted(
    (a, b) => a[1] - b[1],
  )[0];
  return near !== undefined && near[1] <= 3 ? near[0] : null;
};

const MOST_LINES = 100;

/** A skill's own word in its frontmatter, read leniently, line by line; "" where there is none. */
export function licenseIn(skill_md: string): string {
  const [first, ...lines] = skill_md.split('\n', MOST_LINES + 2);
  if (first?.trimEnd() !== '---') return '';
  const end = lines.findIndex((it) => it.startsWith('---'));
  const line = lines.slice(0, end < 0 ? MOST_LINES : end).find((it) => it.startsWith('license:'));
  const [, plain = ''] = /^(["']?)([^"']*)\1$/.exec((line ?? '').slice('license:'.length).trim())?.slice(1) ?? [];
  return plain.length <= MOST_LICENSE_CHARS ? plain.trim() : '';
}

const isOperator = (token: string): boolean => /^(?:AND|OR|WITH)$/i.test(token);
const isException = (before: string | undefined): boolean => before?.toUpperCase() === 'WITH';

function nearestOf(text: string): string | null {
  const near = nearestLicense(text.trim());
  return near === null ? null : `is no SPDX expression; perhaps ${near} is meant`;
}

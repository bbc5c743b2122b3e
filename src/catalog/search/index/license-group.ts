/** The groups by which searches filter licenses. Pure. */

export const LICENSE_GROUPS = ['mit', 'apache-2.0', 'open_source', 'other', 'none'] as const;
export type LicenseGroup = (typeof LICENSE_GROUPS)[number];

/** Longer texts are not identifiers, and only their start is read. */
const MOST_CHARS = 200;

/** Of an SPDX expression or of what a provider writes instead. What several licenses offer counts as the first that it names. */
export function licenseGroup(license: string): LicenseGroup {
  const text = license.slice(0, MOST_CHARS).trim().toLowerCase();
  if (text === '' || NONE.has(text)) return 'none';
  if (/^\(?mit(?:[^a-z0-9-]|$)/.test(text)) return 'mit';
  if (/^\(?(?:the )?apache\b/.test(text)) return 'apache-2.0';
  return OPEN.test(text) ? 'open_source' : 'other';
}

const NONE: ReadonlySet<string> = new Set(['none', 'unknown', 'n/a', 'noassertion', 'null', 'undefined', '-']);

const OPEN =
  /^\(?(?:the )?(?:gnu )?(?:a?gpl|lgpl|affero|general public|lesser general|bsd|isc|mpl|mozilla|unlicense|0bsd|epl|eclipse|eupl|cc0|cc-by-(?:sa-)?\d|zlib|artistic|wtfpl|bsl-1\.0|boost|python|psf|mit-0|ms-pl|ncsa|postgresql|mulanpsl|x11|blueoak|afl|osl|cddl)(?=v?\d|[^a-z]|$)/;

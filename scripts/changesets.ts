/**
 * Changes on their way to `CHANGELOG.md`, one file each in `.changeset/`, in the format of @changesets/cli: front matter with the
 * size of the change, then Markdown. The text is list items under a heading that names an area.
 */

/** In the order of the changelog. */
const AREAS = [
  'Breaking changes',
  'Packages and boxes',
  'Runs and receipts',
  'Catalog and marketplace',
  'Connections and agents',
  'Accounts and sign-in',
  'Command line and SDK',
  'Pages',
  'Operation',
  'Installation',
  'Development',
  'Fixes',
] as const;

const SIZES = ['patch', 'minor', 'major'] as const;

export interface Change {
  size: (typeof SIZES)[number];
  /** List items by area. */
  items: Map<string, string[]>;
}

const FRONT = /^---\n"?capstan"?: (patch|minor|major)\n---\n+/;

/** Throws where the file is malformed, with its name. */
export function parseChange(name: string, text: string): Change {
  const front = FRONT.exec(text);
  if (front === null) throw new Error(`${name}: begin with --- / "capstan": patch, minor or major / ---`);
  const items = new Map<string, string[]>();
  let area: string[] | undefined;
  for (const line of text.slice(front[0].length).split('\n')) {
    const [, heading] = /^### (.+)$/.exec(line) ?? [];
    if (heading !== undefined) {
      if (!(AREAS as readonly string[]).includes(heading)) throw new Error(`${name}: areas are ${AREAS.join(', ')}`);
      area = items.get(heading) ?? [];
      items.set(heading, area);
    } else if (/^- \S/.test(line)) {
      if (area === undefined) throw new Error(`${name}: write "### ${AREAS[0]}" or another area above the first item`);
      area.push(line);
    } else if (/^ {2}\S/.test(line) && area !== undefined && area.length > 0) area[area.length - 1] += `\n${line}`;
    else if (line.trim() !== '') throw new Error(`${name}: not a heading or a list item: ${line}`);
  }
  if (![...items.values()].some((list) => list.length > 0)) throw new Error(`${name}: describe the change`);
  return { size: front[1] as Change['size'], items };
}

/** The version after all these changes. */
export function nextVersion(current: string, changes: readonly Change[]): string {
  const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number);
  const size = Math.max(...changes.map((change) => SIZES.indexOf(change.size)));
  if (size === 2) return `${major + 1}.0.0`;
  return size === 1 ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** The changelog with a section for this version above the ones before. */
export function withSection(changelog: string, heading: string, changes: readonly Change[]): string {
  const areas = AREAS.flatMap((area) => {
    const items = changes.flatMap((change) => change.items.get(area) ?? []);
    return items.length === 0 ? [] : [`### ${area}\n\n${items.join('\n')}\n`];
  });
  const section = `## ${heading}\n\n${areas.join('\n')}\n`;
  const at = changelog.search(/^## /m);
  return at === -1 ? `${changelog.trimEnd()}\n\n${section}` : changelog.slice(0, at) + section + changelog.slice(at);
}

import { readSkillMd } from '#runtime/skills/parse-skill-md.ts';
import { type ArchiveEntry, quoted, refuse } from './archive.ts';

/** Finds the skill of a listing in an archive and selects its files. Pure. */

export const BUNDLE_LIMITS = {
  files: 200,
  depth: 8,
  file_bytes: 1024 * 1024,
  total_bytes: 8 * 1024 * 1024,
  /** How many SKILL.md files are considered. */
  candidates: 2_000,
  /** How many of these are read if no directory has the name. */
  read: 200,
  candidate_bytes: 512 * 1024,
} as const;

export interface SkillWish {
  /** The directory that it is in or under; "" is the archive's root. */
  under: string;
  /** The name from the listing; "" if there should be only one skill. */
  name: string;
}

export const isSkillMd = ({ path, kind, size }: ArchiveEntry): boolean =>
  kind === 'file' && /(^|\/)SKILL\.md$/i.test(path) && size <= BUNDLE_LIMITS.candidate_bytes;

/** The directory of the skill. Throws `runs.unsupported` (`bundle_refused`) if it is missing or ambiguous. */
export function pickSkill(found: ReadonlyMap<string, Uint8Array>, { under, name }: SkillWish): string {
  const mains = new Map([...found].map(([path, bytes]) => [directoryOf(path), bytes]));
  const places = [...mains.keys()].filter((dir) => isUnder(dir, under));
  if (places.length === 0) throw refuse('they contain no SKILL.md');
  if (name === '' && places.length > 1) {
    const names = places.map((dir) => quoted(lastOf(dir))).sort();
    throw refuse(
      `they contain ${names.length} skills (${names.slice(0, 10).join(', ')}), and the listing does not say which`,
    );
  }
  const named = name === '' ? places : placesNamed(name, places, mains);
  // Copies for several agents are common; the shortest path is the original.
  const [first] = named.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  if (first === undefined) throw refuse(`they contain no skill ${quoted(name)}`);
  return first;
}

/** Matches the name of the directory, otherwise the name in the file, which has to be read. */
function placesNamed(name: string, places: string[], mains: ReadonlyMap<string, Uint8Array>): string[] {
  const slug = slugOf(name);
  const named = places.filter((dir) => slugOf(lastOf(dir)) === slug);
  if (named.length > 0) return named;
  return places.slice(0, BUNDLE_LIMITS.read).filter((dir) => {
    const read = readSkillMd(mains.get(dir) as Uint8Array);
    const found = read.ok ? read.value.frontmatter.name : null;
    return typeof found === 'string' && slugOf(found) === slug;
  });
}

export const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const isUnder = (path: string, dir: string): boolean => dir === '' || path === dir || path.startsWith(`${dir}/`);

/** Catalogs write names as slugs. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-');

/** Takes the own files of a directory by path below it: plain files only, no hidden ones, bounded. */
export function takeFolder(
  root: string,
  total_bytes: number = BUNDLE_LIMITS.total_bytes,
): (entry: ArchiveEntry) => boolean {
  let files = 0;
  let total = 0;
  return ({ path, kind, size }) => {
    if (!isUnder(path, root) || path === root) return false;
    const segments = path.slice(root === '' ? 0 : root.length + 1).split('/');
    // Hidden files and leftovers of installers belong to other programs.
    if (segments.some((segment) => segment.startsWith('.') || segment === 'node_modules' || segment === '__pycache__'))
      return false;
    if (kind === 'directory') return false;
    if (kind === 'other') throw refuse(`${quoted(path)} is a link or no plain file`);
    if (segments.length > BUNDLE_LIMITS.depth) throw refuse(`${quoted(path)} is nested too deep`);
    if (size > BUNDLE_LIMITS.file_bytes) throw refuse(`${quoted(path)} is over ${BUNDLE_LIMITS.file_bytes} bytes`);
    files += 1;
    total += size;
    if (files > BUNDLE_LIMITS.files) throw refuse(`the folder has more than ${BUNDLE_LIMITS.files} files`);
    if (total > total_bytes) throw refuse(`the folder is over ${total_bytes} bytes`);
    return true;
  };
}

/** Paths relative to the skill. A file cannot be a directory as well. */
export function belowRoot(taken: ReadonlyMap<string, Uint8Array>, root: string): Map<string, Uint8Array> {
  const files = new Map([...taken].map(([path, bytes]) => [root === '' ? path : path.slice(root.length + 1), bytes]));
  for (const path of files.keys())
    for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
      if (files.has(path.slice(0, slash))) throw refuse(`${quoted(path.slice(0, slash))} is a file and a directory`);
  return files;
}

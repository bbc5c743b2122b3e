import { isScriptName, type ListedFile, MAX_FILE_PATH } from '#catalog/items/listing-details.ts';
import { text } from '#catalog/sync/adapt-fields.ts';
import { member } from '#catalog/sync/adapt-record.ts';

/** Cleans the list of a skill's files. Accepts anything. Pure. */

const MAX_LISTED_FILES = 500;
/** Beyond this the rest is only counted. */
const MAX_READ_FILES = 100_000;

export interface CleanFiles {
  /** Sorted by path. */
  files: ListedFile[];
  /** Of the provider's list. */
  file_count: number;
  has_scripts: boolean;
}

/** Null if `raw` is not a list. */
export function filesOf(raw: unknown): CleanFiles | null {
  if (!Array.isArray(raw)) return null;
  const known = new Map<string, unknown>();
  for (const entry of raw.slice(0, MAX_READ_FILES)) {
    const path = pathOf(member(entry, 'path'));
    if (path !== null && !known.has(path)) known.set(path, entry);
  }
  // Scripts matter most after SKILL.md: a skill whose list has none is taken for one without.
  const { main = [], scripts = [], others = [] } = Object.groupBy(known.keys(), placeOf);
  const files = [...main, ...scripts, ...others]
    .slice(0, MAX_LISTED_FILES)
    .sort((a, b) => (a < b ? -1 : 1))
    .map((path) => fileOf(path, known.get(path)));
  return { files, file_count: raw.length, has_scripts: scripts.length > 0 };
}

const placeOf = (path: string): 'main' | 'scripts' | 'others' =>
  /^skill\.md$/i.test(path) ? 'main' : isScriptName(path) ? 'scripts' : 'others';

function fileOf(path: string, entry: unknown): ListedFile {
  const size = member(entry, 'size');
  const sha256 = member(entry, 'sha256');
  return {
    path,
    size: Number.isSafeInteger(size) && (size as number) >= 0 ? (size as number) : null,
    sha256: typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256) ? sha256 : null,
    script: isScriptName(path),
  };
}

/** Null for paths that lead out of the skill, or that no file has. */
function pathOf(value: unknown): string | null {
  const path = text(value, MAX_FILE_PATH + 1);
  if (path === '' || path.length > MAX_FILE_PATH || /\p{Cc}/u.test(path) || path.startsWith('/')) return null;
  return path.split('/').includes('..') ? null : path;
}

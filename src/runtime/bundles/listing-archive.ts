import { FILE_LIMITS } from '#runtime/skills/checks/given-files.ts';
import { ARCHIVE_LIMITS, type ArchiveEntry, quoted, refuse, type Wanted } from './archive.ts';
import { packingOf } from './fetch-bundle.ts';
import { BUNDLE_LIMITS, belowRoot, directoryOf, isUnder, takeFolder } from './pick-skill.ts';
import { readTar } from './read-tar.ts';
import { readZip } from './read-zip.ts';

/** The files of one skill, harness or rig in an archive, for publishing. */

export interface ListingFolder {
  /** Where it is in the archive; "" is the archive's root. */
  folder: string;
  files: Map<string, Uint8Array>;
}

interface Wish {
  /** The folder that it is in, without that of the archive; "" if there should be only one. */
  folder: string;
  /** Whether everything is in one folder whose name the archive's host made up. */
  has_outer_folder: boolean;
}

const MAIN = /(?:^|\/)(?:SKILL\.md|HARNESS\.md|harness\.yaml|rig\.yaml)$/;
const MOST_NAMED = 10;

/** Throws `runs.unsupported` (`bundle_refused`) with the reason for an archive that is not accepted. */
export async function unpackListing(bytes: Uint8Array, wish: Wish): Promise<ListingFolder> {
  const packing = packingOf(bytes);
  if (packing === null) throw refuse('the file is not a zip or tar.gz archive');
  if (bytes.length > ARCHIVE_LIMITS.packed_bytes) throw refuse(`they are over ${ARCHIVE_LIMITS.packed_bytes} bytes`);
  const read = packing === 'zip' ? readZip : readTar;
  const mains: string[] = [];
  const noteMain: Wanted = ({ path, kind }) => {
    if (kind === 'file' && isMain(path) && mains.length < BUNDLE_LIMITS.candidates) mains.push(path);
    return false;
  };
  await read(bytes, noteMain);
  const root = pickRoot(mains, wish);
  const files = belowRoot(await read(bytes, takeFolder(root, FILE_LIMITS.total_bytes)), root);
  return { folder: wish.has_outer_folder ? root.slice(root.indexOf('/') + 1 || root.length) : root, files };
}

/** What installers and version control leave behind is not published. */
const isMain = (path: ArchiveEntry['path']): boolean =>
  MAIN.test(path) && !path.split('/').some((segment) => segment.startsWith('.') || segment === 'node_modules');

/** The outermost folder with a main file: a harness contains the skills below it. */
function pickRoot(mains: readonly string[], { folder, has_outer_folder }: Wish): string {
  const places = [...new Set(mains.map(directoryOf))];
  const plain = folder.replace(/^\/+|\/+$/g, '');
  const shown = (dir: string) => (has_outer_folder ? dir.slice(dir.indexOf('/') + 1 || dir.length) : dir);
  const wanted = plain === '' ? places : places.filter((dir) => isUnder(shown(dir), plain));
  const outermost = outermostOf(wanted);
  const [first] = outermost;
  if (first === undefined)
    throw refuse(
      `${plain === '' ? 'the archive has' : `the folder ${quoted(plain)} has`} no SKILL.md, HARNESS.md or rig.yaml`,
    );
  if (outermost.length > 1) {
    const names = outermost.map((dir) => quoted(shown(dir))).slice(0, MOST_NAMED);
    throw refuse(`the archive has several to publish; name one of these folders: ${names.join(', ')}`);
  }
  return first;
}

/** In sorted order the folders below another one follow it. */
function outermostOf(places: readonly string[]): string[] {
  const found: string[] = [];
  for (const dir of places.toSorted((a, b) => (`${a}/` < `${b}/` ? -1 : 1))) {
    const above = found.at(-1);
    if (above === undefined || !isUnder(dir, above)) found.push(dir);
  }
  return found;
}

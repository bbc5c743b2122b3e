import { type Member, marks } from '#catalog/identity/capabilities.ts';
import { fileNames } from '#catalog/identity/contents.ts';
import { shownOf } from '#catalog/items/version.ts';
import type { Connection } from '#core/db/connection.ts';
import type { PublishedFile } from '#marketplace/publishing/check-files.ts';

/** Files of a version that are read, and characters of them. */
const [MOST_FILES, MOST_CHARS] = [6, 12_000];
const MOST_BYTES = 262_144;
const TEXT = /\.(?:md|ya?ml|txt)$/i;
const AT_ONCE = 50;

/** Texts of what was published here, by listing: file names, and instructions of skills, harnesses and rigs. */
export async function publishedContents(
  db: Pick<Connection, 'query'>,
  members: readonly Member[],
): Promise<Map<string, string[]>> {
  const shown = members.flatMap(({ id, published }) => {
    const version = published === null ? null : shownOf(published.versions);
    return version === null ? [] : [{ id, files: JSON.parse(version.files) as PublishedFile[] }];
  });
  const texts = new Map(shown.map(({ id, files }) => [id, [fileNames(files)]]));
  for (let at = 0; at < shown.length; at += AT_ONCE) {
    const some = shown
      .slice(at, at + AT_ONCE)
      .map(({ id, files }) => ({ id, read: files.filter(isText).slice(0, MOST_FILES) }));
    const digests = [...new Set(some.flatMap(({ read }) => read.map(({ sha256 }) => sha256)))];
    const rows = await db.query<{ sha256: string; content: string }>(
      `SELECT sha256, content FROM published_contents WHERE sha256 IN (${marks(digests)})`,
      digests,
    );
    const contents = new Map(rows.map(({ sha256, content }) => [sha256, content]));
    for (const { id, read } of some)
      texts.get(id)?.push(
        read
          .map(({ sha256 }) => Buffer.from(contents.get(sha256) ?? '', 'base64').toString('utf8', 0, MOST_CHARS))
          .join('\n')
          .slice(0, MOST_CHARS),
      );
  }
  return texts;
}

const isText = ({ path, size }: PublishedFile): boolean => TEXT.test(path) && size <= MOST_BYTES;

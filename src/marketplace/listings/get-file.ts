import { defined } from '#core/defined.ts';
import type { Handler } from '#core/http/operation.ts';
import { standingVersion } from '#marketplace/moderation/standing.ts';
import type { PublishedFile } from '#marketplace/publishing/check-files.ts';
import { mediaTypeOf } from '#runtime/skills/skill.ts';
import { readContents } from './contents.ts';
import type { listingsContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { digestDiffers, fileNotFound, versionYanked } from './refusals.ts';

/** GET /api/marketplace/listings/{id}/versions/{version}/files/{path}. The path is only a key; it is never joined to a directory. */
export const getFile =
  ({ db }: Pick<MarketplaceDeps, 'db'>): Handler<typeof listingsContract.getFile> =>
  async ({ params: { id, version, path }, query: { digest } }) => {
    const { row } = await standingVersion(db, id, version);
    if (digest !== undefined && digest !== row.digest) throw digestDiffers(row.digest);
    if (row.status === 'yanked' && digest === undefined) throw versionYanked(row.status_reason);
    const file = (JSON.parse(row.files) as PublishedFile[]).find((publishedFile) => publishedFile.path === path);
    if (file === undefined) throw fileNotFound(path);
    const contents = await readContents(db, { listing_id: id, version }, [file]);
    const media_type = mediaTypeOf(path);
    return {
      media_type,
      body: contents.get(path) as Uint8Array,
      etag: file.sha256,
      headers: {
        'x-capstan-digest': row.digest,
        'x-capstan-status': row.status,
        ...defined({ 'content-disposition': media_type === 'application/octet-stream' ? 'attachment' : undefined }),
      },
    };
  };

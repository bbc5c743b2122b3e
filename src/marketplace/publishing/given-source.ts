import { coreProblem } from '#core/errors.ts';
import { createFairQueue, QueueBusy } from '#core/fair-queue/fair-queue.ts';
import type { Share } from '#core/fair-queue/share.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { isProblem, type Problem } from '#core/problem/problem.ts';
import { download } from '#runtime/bundles/fetch-bundle.ts';
import { type ListingFolder, unpackListing } from '#runtime/bundles/listing-archive.ts';
import { type RepositoryHosts, repositoryArchive } from '#runtime/bundles/repository-archive.ts';
import { type GivenFiles, toGiven } from '#runtime/skills/checks/given-files.ts';

/** Where the files to check come from: the request, an archive in it, or a repository's archive. Exactly one of them. */

interface GivenSource {
  files?: GivenFiles;
  /** base64 */
  archive?: string;
  url?: string;
  folder?: string;
}

interface ReadSource {
  files: GivenFiles;
  /** Where the files were in the archive; null if the request contained them. */
  folder: string | null;
}

interface SourceDeps {
  fetch: OutboundFetch;
  hosts: RepositoryHosts;
}

/** Unpacking takes processor time, and fetching a slot of the network. */
const QUEUE = { places: 3, waiting: 50, waiting_per_share: 4, held_per_share: 1 };

/** Throws `http.invalid` (`input`) that names the field, `outbound.*`, or `http.unavailable` (`checks`). */
export function sourceReader({ fetch, hosts }: SourceDeps) {
  const queue = createFairQueue(QUEUE);
  return async ({ files, archive, url, folder = '' }: GivenSource, share: Share): Promise<ReadSource> => {
    if ([files, archive, url].filter((source) => source !== undefined).length !== 1)
      throw invalid('/files', 'must be given, or else either archive or url');
    if (files !== undefined) return { files, folder: null };
    const read = archive === undefined ? () => fromUrl(url as string) : () => fromArchive(archive);
    return queue.run(share, read).catch((error: unknown) => {
      throw error instanceof QueueBusy ? busy() : error;
    });

    async function fromArchive(base64: string): Promise<ReadSource> {
      const bytes = Buffer.from(base64, 'base64');
      return given(await unpacked('/archive', () => unpackListing(bytes, { folder, has_outer_folder: false })));
    }

    async function fromUrl(address: string): Promise<ReadSource> {
      const place = repositoryArchive(address, hosts);
      if ('unsupported' in place) throw invalid('/url', place.unsupported);
      const wish = { folder: folder === '' ? place.folder : folder, has_outer_folder: place.has_outer_folder };
      return given(
        await unpacked('/url', async () => unpackListing((await download({ fetch }, place.url)).bytes, wish)),
      );
    }
  };
}

const given = ({ folder, files }: ListingFolder): ReadSource => ({ folder, files: toGiven(files) });

/** The refusals of archives as errors of the field. */
async function unpacked(pointer: string, read: () => Promise<ListingFolder>): Promise<ListingFolder> {
  try {
    return await read();
  } catch (error) {
    if (isProblem(error, 'runs.unsupported', 'bundle_refused') || isProblem(error, 'runs.gone', 'version_gone'))
      throw invalid(pointer, (error as Problem).message);
    throw error;
  }
}

const invalid = (pointer: string, detail: string): Problem =>
  coreProblem('http.invalid', detail, { reason: 'input', errors: [{ pointer, detail }] });

const busy = (): Problem =>
  coreProblem('http.unavailable', 'Too many archives are being read. Retry in 5 s.', {
    reason: 'checks',
    headers: { 'retry-after': '5' },
  });

import type { LinkedData } from '../server/json-ld.ts';
import { baseOf, type Known, publisherOf, titleOf } from './known.ts';
import { cut, webAddress } from './words.ts';

/** What search engines read about a listing; members that are undefined are left out. Only what the listing states: nothing is rated or priced here. */
export function softwareData(known: Known, base_url: string): LinkedData {
  const { description, version, license, repository, homepage, tags, downloads } = baseOf(known);
  const publisher = publisherOf(known);
  const same = [repository, homepage].flatMap((address) => webAddress(address) ?? []);
  return {
    '@type': 'SoftwareApplication',
    name: cut(titleOf(known).title, 160),
    url: base_url + known.path,
    applicationCategory: 'DeveloperApplication',
    description: cut(description, 400) || undefined,
    softwareVersion: cut(version, 40) || undefined,
    license: SPDX.test(license) ? `https://spdx.org/licenses/${license}.html` : undefined,
    author: publisher === null ? undefined : { '@type': 'Organization', name: cut(publisher.name, 80) },
    sameAs: same.length === 0 ? undefined : [...new Set(same)],
    keywords: tags.length === 0 ? undefined : tags.slice(0, 20).join(', '),
    interactionStatistic: downloads === 0 ? undefined : downloadCount(downloads),
  };
}

/** The form of an id in the SPDX list; expressions have no page. */
const SPDX = /^[A-Za-z0-9][A-Za-z0-9.+-]{1,40}$/;

const downloadCount = (downloads: number) => ({
  '@type': 'InteractionCounter',
  interactionType: 'https://schema.org/DownloadAction',
  userInteractionCount: downloads,
});

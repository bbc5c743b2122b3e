import { SKILL_HOSTS } from '#catalog/install/skill-hosts.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { sourceOf } from './source-of.ts';

/** The web page with the files of a listed skill; null if unknown. */
export function sourceUrl(row: Pick<ListingRow, 'provider_id' | 'external_id' | 'version' | 'repository' | 'install'>) {
  const source = sourceOf(row);
  if ('unsupported' in source) return null;
  const parts = (path: string): string => path.split('/').filter(Boolean).map(encodeURIComponent).join('/');
  if (source.kind === 'clawhub') return `${SKILL_HOSTS.clawhub}/${parts(`${source.owner}/skills/${source.slug}`)}`;
  return `https://github.com/${source.owner}/${source.repo}/tree/${parts(`${source.ref}/${source.under}`)}`;
}

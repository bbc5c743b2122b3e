import { distinct, finding, findingsIn } from '#catalog/checks/findings.ts';
import { remotesOf } from '#catalog/install/remotes.ts';
import type { Finding } from '#catalog/items/verification.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { isUnstated, licenseFault } from '#core/text/license.ts';

/** The static checks of a listing's record. Nothing is fetched. Pure. */

type Record = Pick<ListingRow, 'name' | 'description' | 'author' | 'install' | 'license'>;

export function checkListing({ name, description, author, install, license }: Record): Finding[] {
  const stored = install === null ? null : (JSON.parse(install) as { [member: string]: unknown });
  return distinct([
    ...findingsIn('name', name),
    ...findingsIn('description', description),
    ...findingsIn('author', author),
    // Placeholders are not secrets, but values in install information are public.
    ...findingsIn('install', install ?? '').filter(({ rule }) => rule === 'secret' || rule === 'hidden-character'),
    ...remotesOf(stored).flatMap(({ url }) => addressFindings(url)),
    ...(license === '' || isUnstated(license) || licenseFault(license) === null
      ? []
      : [finding('license-unclear', 'license', 'The license is not an SPDX expression.')]),
  ]);
}

function addressFindings(url: string): Finding[] {
  const { protocol, hostname } = new URL(url.replace(/\{[^{}]*\}/g, 'x'));
  const isHere = /^(localhost|127\.|\[::1\])/.test(hostname);
  if (protocol === 'https:' || isHere) return [];
  return [finding('remote-insecure', 'install', 'The server URL is not encrypted (http).')];
}

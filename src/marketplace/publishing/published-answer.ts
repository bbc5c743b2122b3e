import { pathOf, versionPath } from '#marketplace/listings/shapes.ts';
import type { Published, PublishOrder } from './publish-version.ts';

/** The response to publishing. */
export function publishedAnswer(
  { name, version, license }: Pick<PublishOrder, 'name' | 'version' | 'license'>,
  { id, checked, claim, claim_text }: Published,
) {
  const { digest, listing_type, execution_class, files, findings } = checked;
  const self = id === null ? '' : versionPath(id, version);
  return {
    published: id !== null,
    id,
    name,
    version,
    license,
    digest,
    listing_type,
    execution_class,
    files,
    findings: { warnings: findings.length, items: findings.slice(0, 100) },
    claim,
    claim_text,
    links: id === null ? null : { self, listing: pathOf(id), files: `${self}/files/` },
  };
}

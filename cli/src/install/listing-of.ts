import type { Capstan } from '../../../sdk/src/index.ts';
import { Failure } from '../failure.ts';
import { type ListedRef, refOf } from '../ref.ts';

/** A capability is installed from its first source with install instructions. */
export async function listingOf(capstan: Capstan, ref: ListedRef) {
  if (ref.kind === 'listing') return { provider: ref.provider, id: ref.id };
  const { sources } = await capstan.listings.get({ id: ref.ref });
  for (const { provider, external_id } of sources) {
    const source = refOf(`${provider}/${external_id}`);
    if (source.kind === 'listing') return { provider: source.provider, id: source.id };
  }
  throw new Failure('cli.install', 'None of its sources contains installation instructions.', {
    fix: 'Run capstan show to see its details.',
  });
}

import type { Listing } from '#catalog/items/item.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { listing, remote } from '#test/listings.ts';
import { oneOf, seeded } from '../catalog/random.ts';
import { madeUpWords } from '../catalog/synthetic.ts';

/**
 * Listings for which it is known which are the same server: some providers list the same address under their own ids and names, others
 * have the same name for another address. A group is numbered; its listings follow each other.
 */
export function madeListings(count: number): { listings: Listing[]; group_of: Map<string, number> } {
  const random = seeded(5);
  const words = madeUpWords(20_000);
  const listings: Listing[] = [];
  const group_of = new Map<string, number>();
  for (let group = 0; listings.length < count; group++) {
    const author = `author${random(2_000)}`;
    const name = `${oneOf(random, words)} ${oneOf(random, words)}`;
    const slug = `${name.replaceAll(' ', '-')}-${group}`;
    const first = random(PROVIDERS.length);
    const sizes = [1, 1, 1, 2, 2, 3];
    for (let at = 0; at < (sizes[group % sizes.length] as number) && listings.length < count; at++) {
      const provider = PROVIDERS[(first + at) % PROVIDERS.length] as (typeof PROVIDERS)[number];
      const externalId = `${author}/${slug}`;
      listings.push(
        listing(provider, externalId, {
          ...remote(`https://${slug}.${author}.example/mcp`),
          name: at === 0 ? name : `${name} server`,
          description: Array.from({ length: 12 }, () => oneOf(random, words)).join(' '),
          author,
          downloads: random(1_000),
        }),
      );
      group_of.set(`${provider} ${externalId}`, group);
    }
  }
  return { listings, group_of };
}

/** Of all pairs of listings in one group, how many are one capability; and of all that are one, how many are in one group. */
export function measureMade(group_of: Map<string, number>, standsOf: (key: string) => unknown) {
  const pairsIn = (sizes: number[]) => sizes.reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);
  const sizesBy = (keyOf: (key: string) => unknown) =>
    [...Map.groupBy(group_of.keys(), keyOf).values()].map((keys) => keys.length);
  const right = pairsIn(sizesBy((key) => `${group_of.get(key)} ${standsOf(key)}`));
  const share = (of: number) => (of === 0 ? Number.NaN : Number((right / of).toFixed(3)));
  return {
    'generated pairs': {
      pairs: pairsIn(sizesBy((key) => group_of.get(key))),
      right,
      precision: share(pairsIn(sizesBy(standsOf))),
      recall: share(pairsIn(sizesBy((key) => group_of.get(key)))),
    },
  };
}

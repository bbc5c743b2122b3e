import { CARD, type CardFacts, cardDigest, cardOf } from '../picture/card.ts';
import type { Download, Site, View } from '../server/page.ts';
import { baseOf, type Known, publisherOf, titleOf } from './known.ts';
import { runStateOf } from './run-ability.ts';
import { lookOf } from './state.ts';
import { cut } from './words.ts';

/** The picture that is shown where the page of a listing is linked. It is at the path of the page, as `?picture=`. */

/** Its digest is in the address, so that a changed listing has another picture. */
export function pictureOf(known: Known, site: Pick<Site, 'title'>): NonNullable<View['picture']> {
  const facts = factsOf(known, site);
  return { path: `${known.path}?picture=${cardDigest(facts)}`, ...CARD, alt: `${facts.name}: ${facts.kind}` };
}

export async function listingPicture(known: Known, site: Pick<Site, 'title' | 'turn'>): Promise<Download> {
  const body = await cardOf(factsOf(known, site), site.turn);
  return { file_name: 'listing.png', media_type: 'image/png', body, is_image: true, is_public: true };
}

function factsOf(known: Known, { title: site }: Pick<Site, 'title'>): CardFacts {
  const { id, description, listing_type } = baseOf(known);
  const publisher = publisherOf(known);
  const state = runStateOf(known);
  const isFlagged = (known.listing?.flags ?? []).length > 0;
  return {
    id,
    name: cut(titleOf(known).title, 160),
    sentence: cut(description, 400),
    kind: `${listing_type.charAt(0).toUpperCase()}${listing_type.slice(1)}`,
    publisher: cut(publisher?.name ?? '', 80),
    is_confirmed: publisher?.confirmed != null,
    state: isFlagged
      ? { look: 'bad', words: 'Flagged' }
      : state === null
        ? null
        : { look: lookOf(state), words: state.words },
    site,
  };
}

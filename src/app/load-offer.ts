import { ownTurn } from '#core/threads/own-turn.ts';
import type { Offer } from '#core/tools/offer.ts';
import type { Parts } from './parts.ts';

/** Tools of the wings, each loaded in a turn of the event loop: together they take longer than a request may hold it. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('#catalog/items/tools.ts'),
  () => import('#connections/model-tools/tools.ts'),
  () => import('#marketplace/listings/tools.ts'),
  () => import('#runtime/harnesses/tools.ts'),
  () => import('#runtime/receipts/tools.ts'),
  () => import('#runtime/rigs/tools.ts'),
  () => import('#runtime/skills/tools.ts'),
  () => import('#runtime/tasks/tools.ts'),
  () => import('#runtime/trials/tools.ts'),
  () => import('#surfaces/discovery/tool-search.ts'),
  () => import('#surfaces/discovery/tools.ts'),
];

/** What is offered to models, loaded with its first use. */
export async function loadOffer(parts: Parts): Promise<Offer> {
  for (const load of PARTS) {
    await ownTurn();
    await load();
  }
  await ownTurn();
  const { openOffer } = await import('./tools.ts');
  await ownTurn();
  return openOffer(parts);
}

import { fillAccounts } from './fill-accounts.ts';
import { fillAuthoring } from './fill-authoring.ts';
import { fillConnections } from './fill-connections.ts';
import { fillMarketplace } from './fill-marketplace.ts';
import { fillRegistry } from './fill-registry.ts';
import { fillRuns } from './fill-runs.ts';
import type { Filling } from './filling.ts';

/** Does with the program what its users would, as far as its version goes. */
export async function fill(filling: Filling): Promise<void> {
  await fillRegistry(filling);
  if (!filling.program.offers('accounts.wallets.verify')) return;
  await fillAccounts(filling);
  await fillConnections(filling);
  await fillRuns(filling);
  await fillAuthoring(filling);
  await fillMarketplace(filling);
}

import { type LaunchField, launchFields } from '../../../src/catalog/install/launch-target.ts';
import { launchesOf } from '../../../src/catalog/install/launches.ts';
import { remotesOf } from '../../../src/catalog/install/remotes.ts';

/**
 * The values that the package of a listing takes, as a connection of the service has them; none where the service calls the server at
 * its address.
 */
export function packageFields(install: Record<string, unknown> | null, index: number | undefined): LaunchField[] {
  const isCalled = index === undefined && remotesOf(install).some(({ transport }) => transport !== null);
  const launch = isCalled ? undefined : launchesOf(install)[index ?? 0];
  return launch === undefined ? [] : launchFields(launch);
}

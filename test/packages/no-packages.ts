import type { PackagedServers } from '#core/mcp/packaged-servers.ts';

/** Of a process that runs no packages. */
export const NO_PACKAGES: PackagedServers = {
  refusal: () => 'Packages are not run by this process.',
  through: () => Promise.reject(new Error('packages are not run by this process')),
  pin: () => Promise.reject(new Error('packages are not run by this process')),
  settings: () => Promise.reject(new Error('packages are not run by this process')),
  hostFault: () => null,
  forget: () => {},
};

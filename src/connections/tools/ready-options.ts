import type { PackageStep } from '#core/mcp/packaged-servers.ts';

/** Where the server has to be asked, it may have to be started from its package. */
export interface ReadyOptions {
  signal?: AbortSignal | undefined;
  on_step?: ((step: PackageStep) => void) | undefined;
}

import { REGISTRY_SETTINGS } from './features/registry/settings.ts';
import { SERVER_SETTINGS, type Values } from './platform/config.ts';

/** Every setting of the program. */
export const SETTINGS = { server: SERVER_SETTINGS, registry: REGISTRY_SETTINGS } as const;
export type Config = Values<typeof SETTINGS>;

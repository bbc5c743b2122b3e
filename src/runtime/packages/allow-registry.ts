import { namesIn } from './comma-list.ts';
import { registryForbidden, registryRequired } from './errors.ts';
import type { NpmAccess } from './registry-credentials.ts';

/** The configured registry, if the listing names none, the same one, or one that the operator declared as equivalent. */
export function allowRegistry(
  configured: string | null,
  listed: string | null,
  setting: string,
  aliases: string,
): string {
  if (configured === null) throw registryRequired(setting);
  if (listed === null || listed === '') return configured;
  const allowed = [configured, ...namesIn(aliases)].map((each) => URL.parse(each)?.origin);
  const origin = URL.parse(listed)?.origin;
  if (origin === undefined || !allowed.includes(origin))
    throw registryForbidden(listed, 'CAPSTAN_PACKAGE_REGISTRY_ALIASES');
  return configured;
}

/** For npm, where a scope may have another registry. */
export const allowNpmRegistry = (
  { npm_registry, registry_aliases }: { npm_registry: string | null; registry_aliases: string },
  { registryOf }: Pick<NpmAccess, 'registryOf'>,
  { name, registry }: { name: string; registry: string | null },
): string => allowRegistry(registryOf(name) ?? npm_registry, registry, 'CAPSTAN_NPM_REGISTRY', registry_aliases);

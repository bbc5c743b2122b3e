import { registryForbidden, registryRequired } from './errors.ts';

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

/** The names of a comma list. */
export const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

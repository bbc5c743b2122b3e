import { parseDocument } from 'yaml';
import { checkPage, shapeProblem } from '../../read-page.ts';
import { Catalog } from './wire.ts';

// The true catalogue uses none. Each alias can multiply what the ones before it stand for.
const MAX_ALIASES = 50;
// `uniqueKeys` compares every key with every other: minutes for a hostile document of a million keys.
const OPTIONS = { uniqueKeys: false, merge: false, schema: 'core', logLevel: 'silent' } as const;

/** catalog.yaml, or catalog.json, which is YAML too, as entries by name. Hostile YAML is `registry.provider_shape`. */
export const parseCatalog = (text: string): [name: string, entry: unknown][] => {
  const { registry } = checkPage('docker', Catalog, parseYaml(text));
  return Object.entries(registry);
};

const parseYaml = (text: string): unknown => {
  try {
    const document = parseDocument(text, OPTIONS);
    if (document.errors[0] !== undefined) throw document.errors[0];
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw shapeProblem('docker', 'is not YAML that can be read safely', cause);
  }
};

import type { Html } from '../server/html.ts';
import { kindIcon, providerName, providerTile } from './icon.ts';

/** The words of filters and their values. */

interface Words {
  label: string;
  /** By value. Values without an entry are shown as they are. */
  values: Readonly<Record<string, string>>;
}

const WORDS: Readonly<Record<string, Words>> = {
  listing_type: {
    label: 'Kind',
    values: { skill: 'Skills', server: 'Servers', harness: 'Harnesses', rig: 'Rigs' },
  },
  execution_class: {
    label: 'Runs as',
    values: { prompt: 'Instructions for a model', scripted: 'Script', mcp: 'MCP server' },
  },
  verified: { label: 'Proof', values: { true: 'Reproduced or used here', false: 'Not reproduced yet' } },
  provider: { label: 'Listed by', values: {} },
  tag: { label: 'Tag', values: {} },
};

export const filterLabel = (name: string): string => WORDS[name]?.label ?? name;

export function valueWords(name: string, value: string): string {
  if (name === 'provider') return providerName(value);
  const values = WORDS[name]?.values ?? {};
  return (Object.hasOwn(values, value) ? values[value] : undefined) ?? value;
}

/** An icon before the words; null if the filter has none. */
export function valueMark(name: string, value: string): Html | null {
  if (name === 'provider') return providerTile(value);
  return name === 'listing_type' ? kindIcon(value) : null;
}

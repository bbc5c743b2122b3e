import type { Html } from '../server/html.ts';
import { icon, kindIcon, PROVIDER_IDS, providerName, providerTile } from './icon.ts';

/** The words of filters and their values. */

interface Words {
  label: string;
  /** By value. Values without an entry are shown as they are. */
  values: Readonly<Record<string, string>>;
}

const WORDS: Readonly<Record<string, Words>> = {
  availability: {
    label: 'Availability',
    values: { runs: 'Runs now', ready: 'No sign-in or key' },
  },
  listing_type: {
    label: 'Kind',
    values: { skill: 'Skills', server: 'Servers', harness: 'Harnesses', rig: 'Rigs' },
  },
  execution_class: {
    label: 'Runs as',
    values: { prompt: 'Instructions for a model', scripted: 'Script', mcp: 'MCP server' },
  },
  confirmed: { label: 'Publisher', values: { true: 'Confirmed only' } },
  level: {
    label: 'Proof, at least',
    values: { checked: 'Checked', ran: 'Ran here', reproduced: 'Reproduced' },
  },
  license: {
    label: 'License',
    values: {
      mit: 'MIT',
      'apache-2.0': 'Apache-2.0',
      open_source: 'Other open source',
      other: 'Other',
      none: 'None stated',
    },
  },
  category: {
    label: 'Category',
    values: {
      code: 'Code',
      git: 'Git and repositories',
      cloud: 'Cloud and deployment',
      databases: 'Databases',
      data: 'Data and charts',
      documents: 'Documents',
      research: 'Research',
      search: 'Web search',
      browsers: 'Browsers',
      communication: 'Email and chat',
      productivity: 'Tasks and notes',
      memory: 'Memory and knowledge',
      agents: 'Agents and prompts',
      design: 'Design and frontend',
      media: 'Images, audio, video',
      marketing: 'Marketing and sales',
      commerce: 'Shops',
      finance: 'Finance',
      crypto: 'Crypto',
      security: 'Security',
      law: 'Law and government',
      travel: 'Maps and travel',
      health: 'Health',
      home: 'Home and devices',
    },
  },
  updated: { label: 'Updated', values: { '30d': 'Last 30 days', '365d': 'Last 12 months' } },
  verified: { label: 'Proof', values: { true: 'Reproduced or used here', false: 'Not reproduced yet' } },
  provider: { label: 'Listed by', values: {} },
  tag: { label: 'Tag', values: {} },
};

export const filterLabel = (name: string): string => WORDS[name]?.label ?? name;

/** The values that are always offered, in order; none for a filter whose values are found. */
export const valuesOf = (name: string): readonly string[] =>
  name === 'provider' ? PROVIDER_IDS : Object.keys(WORDS[name]?.values ?? {});

export function valueWords(name: string, value: string): string {
  if (name === 'provider') return providerName(value);
  const values = WORDS[name]?.values ?? {};
  return (Object.hasOwn(values, value) ? values[value] : undefined) ?? value;
}

/** Where no label is beside it. */
export const chipWords = (name: string, value: string): string => CHIPS[`${name} ${value}`] ?? valueWords(name, value);

const CHIPS: Readonly<Record<string, string>> = {
  'confirmed true': 'Confirmed publisher',
  'level checked': 'Checked or better',
  'level ran': 'Ran here or better',
  'license other': 'Other license',
  'license none': 'No license stated',
  'updated 30d': 'Updated in 30 days',
  'updated 365d': 'Updated in 12 months',
};

/** An icon before the words; null if the filter has none. */
export function valueMark(name: string, value: string): Html | null {
  if (name === 'provider') return providerTile(value);
  if (name === 'availability') return icon(value === 'runs' ? 'circle-check' : 'key-round');
  if (name === 'confirmed') return icon('badge-check');
  return name === 'listing_type' ? kindIcon(value) : null;
}

import { startClaudePluginsFake } from './fakes/providers/claude-plugins.ts';
import { startClawhubFake } from './fakes/providers/clawhub.ts';
import { startDockerFake } from './fakes/providers/docker.ts';
import { startGeminiExtensionsFake } from './fakes/providers/gemini-extensions.ts';
import { startGlamaFake } from './fakes/providers/glama.ts';
import { startMcpRegistryFake } from './fakes/providers/mcp-registry.ts';
import { startSkillsShFake } from './fakes/providers/skills-sh.ts';
import { startSmitheryFake } from './fakes/providers/smithery.ts';

/** All eight providers on loopback, each with a listing in its own form. None of these listings names a server elsewhere. */

interface Providers {
  /** For the service. */
  settings: Record<string, string>;
  close(): Promise<void>;
}

export const PROVIDER_IDS = [
  'mcp-registry',
  'smithery',
  'glama',
  'docker',
  'clawhub',
  'skills-sh',
  'claude-plugins',
  'gemini-extensions',
] as const;

/** `registry`: records of the MCP registry beside its own sample. */
export async function startProviders(registry: readonly unknown[]): Promise<Providers> {
  const fakes = await Promise.all([
    startMcpRegistryFake({ records: [...registry] }),
    startSmitheryFake({ records: { servers: [SMITHERY], skills: [] } }),
    startGlamaFake({ records: { servers: [GLAMA], connectors: [] } }),
    startDockerFake({ records: { 'flag-locker': DOCKER } }),
    startClawhubFake({ records: [CLAWHUB], page_size: 100 }),
    startSkillsShFake({ records: [SKILLS_SH], page_size: 100 }),
    startClaudePluginsFake({ records: CLAUDE_PLUGINS }),
    startGeminiExtensionsFake({ records: [GEMINI] }),
  ]);
  const urls = fakes.map(({ url }, at) => [
    `CAPSTAN_PROVIDER_${PROVIDER_IDS[at]?.toUpperCase().replaceAll('-', '_')}_URL`,
    url,
  ]);
  return {
    settings: { ...Object.fromEntries(urls), CAPSTAN_PROVIDERS: PROVIDER_IDS.join(',') },
    close: async () => void (await Promise.all(fakes.map((fake) => fake.close()))),
  };
}

const SMITHERY = {
  id: '5d0c0de0-0000-4000-8000-000000000001',
  qualifiedName: 'flag-example/semaphore',
  namespace: 'flag-example',
  slug: 'semaphore',
  displayName: 'Semaphore',
  description: 'Spells words with two flags',
  iconUrl: null,
  verified: true,
  useCount: 4321,
  remote: true,
  isDeployed: true,
  createdAt: '2026-01-02T03:04:05.678Z',
  homepage: '',
};

const GLAMA = {
  id: 'f1agl0ck3r',
  name: 'Flag Locker',
  namespace: 'flag-example',
  slug: 'flag-locker',
  description: 'Lists the flags in a locker',
  attributes: ['hosting:local-only'],
  environmentVariablesJsonSchema: null,
  repository: null,
  spdxLicense: { name: 'MIT License', url: 'https://spdx.example/MIT' },
  tools: [],
  url: 'https://glama.example/mcp/servers/flag-example/flag-locker',
};

const DOCKER = {
  title: 'Flag Locker Image',
  type: 'poci',
  description: 'Lists the flags in a locker, as an image',
  dateAdded: '2026-01-02T03:04:05Z',
  tools: [{ name: 'list_flags', description: 'All flags' }],
  metadata: { category: 'flags', owner: 'flag-example', license: 'MIT License' },
};

const CLAWHUB = {
  name: 'pennant-check',
  displayName: 'Pennant Check',
  family: 'skill',
  summary: 'Looks over pennants before the season',
  ownerHandle: 'rigger-example',
  createdAt: 1_760_000_000_000,
  updatedAt: 1_767_225_600_123,
  latestVersion: '1.2.3',
  topics: ['Flags'],
  tags: { latest: '1.2.3' },
  stats: { downloads: 4_321, installs: 12, stars: 56, versions: 3 },
};

const SKILLS_SH = {
  id: 'flag-example/skills/signal-code',
  installs: 1_234,
  stars: 99,
  url: 'https://www.skills.example/flag-example/skills/signal-code',
  description: 'Says what a hoist of signal flags means',
  hash: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
  fetchedAt: '2026-06-07T08:09:10.111Z',
};

const marketplace = (plugins: unknown[]) => ({ name: 'flags', owner: { name: 'Flag Example' }, plugins });

const CLAUDE_PLUGINS = {
  'anthropics/claude-plugins-official/main/.claude-plugin/marketplace.json': marketplace([
    {
      name: 'bunting',
      description: 'Strings of small flags',
      version: '2.1.0',
      author: { name: 'Mia Example' },
      license: 'MIT',
      category: 'development',
      source: './plugins/bunting',
    },
  ]),
  'anthropics/claude-plugins-community/main/.claude-plugin/marketplace.json': marketplace([]),
  'github/awesome-copilot/main/.github/plugin/marketplace.json': marketplace([]),
  'openai/plugins/main/.agents/plugins/marketplace.json': marketplace([]),
};

const GEMINI = {
  id: 'a1',
  rank: 1,
  url: 'https://github.com/flag-example/ensign',
  fullName: 'flag-example/ensign',
  repoDescription: '',
  stars: 321,
  lastUpdated: '2026-05-04T03:02:01+02:00',
  extensionName: 'ensign',
  extensionVersion: '1.4.0',
  extensionDescription: 'Knows the ensign of each country',
  hasMCP: false,
  hasContext: true,
  hasHooks: false,
  hasSkills: false,
  hasCustomCommands: false,
  isGoogleOwned: false,
  licenseKey: 'apache-2.0',
};

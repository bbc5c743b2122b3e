/** The features in the order in which the documentation takes them. `name` is what stands before the dot of an id. */
export const CHAPTERS = [
  { name: 'docs', description: 'What the service says about itself.' },
  { name: 'registry', description: 'Listings of all providers, synced and searchable.' },
  { name: 'skills', description: 'Skills that the service carries itself, in the Agent Skills format.' },
  { name: 'auth', description: 'Sign-in by wallet, e-mail or Google.' },
  { name: 'users', description: 'Profiles and API keys.' },
  { name: 'sessions', description: 'Managed connections to MCP servers.' },
  { name: 'harnesses', description: 'Harnesses with their memory and context.' },
  { name: 'rigs', description: 'Rigs: pinned sets of capabilities that run together.' },
  { name: 'tasks', description: 'Runs of a capability, with their state.' },
  { name: 'receipts', description: 'Proof of what a run did.' },
  { name: 'agents', description: 'The chat agent and its models.' },
  { name: 'marketplace', description: 'Capabilities, merged over all providers, and what users publish.' },
  { name: 'mcp', description: 'The Model Context Protocol endpoint.' },
  { name: 'discovery', description: 'Live tools, agents and protocols.' },
  { name: 'interop', description: 'The interfaces of other registries and clients.' },
  { name: 'health', description: 'For those who run the service.' },
] as const;

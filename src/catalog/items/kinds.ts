/** Providers, listing types and execution classes. Without imports, so that worker threads load nothing else. */

export const PROVIDERS = [
  'mcp-registry',
  'smithery',
  'glama',
  'docker',
  'clawhub',
  'skills-sh',
  'claude-plugins',
  'gemini-extensions',
] as const;
export type ProviderId = (typeof PROVIDERS)[number];

export const LISTING_TYPES = ['skill', 'server', 'harness', 'rig'] as const;
export type ListingType = (typeof LISTING_TYPES)[number];

export const EXECUTION_CLASSES = ['prompt', 'scripted', 'mcp'] as const;
export type ExecutionClass = (typeof EXECUTION_CLASSES)[number];

/** Names that this program uses for itself. */
export const SERVICE = {
  name: 'capstan',
  title: 'Capstan',
  description: 'Find, connect and run agent capabilities, with a trace and a signed receipt of every run.',
  /** The version of the service; the API contract has a separate one. */
  version: '0.2.0',
  mcp_protocol_version: '2025-11-25',
  mcp_versions: ['2025-11-25', '2026-07-28'],
} as const;

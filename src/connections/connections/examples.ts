/** Examples of connections and tools for the documentation. */

export const CONNECTION_ID = '0199a2f0-6c1e-7b3a-9f52-6f0a3d1c2b4e';

export const CONNECTION_EXAMPLE = {
  id: CONNECTION_ID,
  name: 'Tides',
  url: 'https://{region}.harbour.example/mcp',
  transport: 'streamable-http',
  status: 'auth_required',
  server_info: null,
  protocol_version: null,
  last_error: { code: 'connections.authorization_required', detail: 'token must be stored first.' },
  tools_read_at: null,
  created_at: '2026-04-14T09:30:00.000Z',
  last_used_at: null,
  package: null,
  listing: { provider: 'mcp-registry', external_id: 'com.example/tides' },
  auth: {
    type: 'none',
    oauth: null,
    account: null,
    previous_account: null,
    required: [
      {
        name: 'token',
        in: 'variable',
        description: 'Personal token',
        required: true,
        secret: true,
        default: '',
      },
    ],
    optional: [
      {
        name: 'region',
        in: 'variable',
        description: 'Where the harbour is',
        required: false,
        secret: false,
        default: 'north',
      },
    ],
    values: { region: 'south' },
    stored: [],
  },
};

const HASH = 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export const TOOL_EXAMPLE = {
  name: 'tide_at',
  title: 'Tide at a time',
  description: 'Height of the tide at a harbour.',
  input_schema: { type: 'object', properties: { harbour: { type: 'string' } }, required: ['harbour'] },
  output_schema: null,
  annotations: { readOnlyHint: true },
  hash: HASH,
  state: 'accepted',
};

export const RESULT_EXAMPLE = {
  content: [{ type: 'text', text: '{"height_m":3.2}' }],
  structured_content: { height_m: 3.2 },
  is_error: false,
  questions: [],
  protocol_version: '2026-07-28',
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  receipt_id: '019a8c1e-7f00-7000-8000-3b1f6f4f9a12',
  receipt_key: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
  duration_ms: 84,
  links: {
    trace: '/api/traces/4bf92f3577b34da6a3ce929d0e0e4736',
    receipt: '/api/receipts/019a8c1e-7f00-7000-8000-3b1f6f4f9a12',
  },
};

/** Shapes for the contract's examples. */

export const TASK_ID = '019a8c1e-7f00-7000-8000-3b1f6f4f9a11';
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

export const TASK_EXAMPLE = {
  id: TASK_ID,
  title: 'json-diff',
  capability: {
    kind: 'skill' as const,
    ref: 'json-diff',
    version: '1.0.0',
    digest: 'sha256:9d4e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6',
  },
  execution_class: 'scripted' as const,
  status: 'completed' as const,
  status_reason: null,
  error: null,
  question: null,
  server_question: null,
  attempt: 1,
  trace_id: TRACE_ID,
  receipt_id: '019a8c1e-7f00-7000-8000-3b1f6f4f9a10',
  created_at: '2026-11-20T12:00:00.000Z',
  queued_at: '2026-11-20T12:00:01.000Z',
  started_at: '2026-11-20T12:00:01.040Z',
  finished_at: '2026-11-20T12:00:01.450Z',
};

export const WHOLE_EXAMPLE = {
  ...TASK_EXAMPLE,
  stored_bytes: 187,
  kept_until: '2027-11-20T12:00:01.450Z',
  input: { before: { port: 80 }, after: { port: 8080 } },
  output: {
    equal: false,
    counts: { add: 0, remove: 0, replace: 1 },
    patch: [{ op: 'replace', path: '/port', value: 8080 }],
  },
  input_files: [],
  output_files: [{ path: 'patch.json', size: 2, content_base64: 'W10=' }],
  receipt_key: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
};

export const TRACE_EXAMPLE = {
  trace_id: TRACE_ID,
  spans: [
    {
      span_id: '00f067aa0ba902b7',
      parent_span_id: null,
      name: 'execute_tool json-diff',
      kind: 'internal',
      started_at: '2026-11-20T12:00:01.041Z',
      duration_ms: 402.5,
      status: 'unset' as const,
      attributes: { 'gen_ai.tool.name': 'json-diff', 'capstan.sandbox.isolation': 'wasm+process' },
      events: [],
    },
  ],
};

export const EVENTS_EXAMPLE =
  'retry: 1000\n\n' +
  'id: 1\nevent: status\ndata: {"at":"2026-11-20T12:00:01.000Z","status":"working","status_reason":"queued","attempt":0}\n\n' +
  'id: 2\nevent: output\ndata: {"at":"2026-11-20T12:00:01.400Z","stream":"stdout","text":"{}\\n"}\n\n';

export const SHARE_ID = '019a8c1e-7f00-7000-8000-3b1f6f4f9a12';
/** Not a secret: no link has it. */
export const SHARE_TOKEN = 'A'.repeat(43);
const SHOWS = { input: true, trace: false, names: false };
export const SHARE_EXAMPLE = {
  id: SHARE_ID,
  shows: SHOWS,
  created_at: '2026-11-20T12:05:00.000Z',
  expires_at: null,
};

export const SHARED_EXAMPLE = {
  caller: 'account' as const,
  title: null,
  capability: { kind: 'skill' as const, name: 'json-diff', version: '1.0.0', digest: TASK_EXAMPLE.capability.digest },
  execution_class: 'scripted' as const,
  status: 'completed' as const,
  status_reason: null,
  error: null,
  started_at: TASK_EXAMPLE.started_at,
  finished_at: TASK_EXAMPLE.finished_at,
  kept_until: WHOLE_EXAMPLE.kept_until,
  output: WHOLE_EXAMPLE.output,
  output_files: WHOLE_EXAMPLE.output_files,
  shows: SHOWS,
  input: WHOLE_EXAMPLE.input,
  input_files: [],
  steps: null,
  receipt_id: TASK_EXAMPLE.receipt_id,
  receipt_key: WHOLE_EXAMPLE.receipt_key,
  concealed: 0,
};

export const OTHER_TASK_ID = '019a8c1e-7f00-7000-8000-3b1f6f4f9a21';
const SIDE = {
  ...TASK_EXAMPLE,
  duration_ms: 410,
  hosts: [],
  usage: { model_requests: 0, input_tokens: 0, output_tokens: 0 },
};
export const COMPARED_EXAMPLE = {
  runs: [SIDE, { ...SIDE, id: OTHER_TASK_ID, duration_ms: 395 }],
  input: {
    is_equal: false,
    lines: [
      {
        head: '@@ -1,1 +1,1 @@',
        lines: [
          { kind: 'removed' as const, text: '  "port": 80' },
          { kind: 'added' as const, text: '  "port": 81' },
        ],
      },
    ],
  },
  output: { is_equal: true, lines: [] },
  input_files: [],
  output_files: [{ path: 'patch.json', change: 'same' as const }],
};

/** Examples of the contract. */

export const CONVERSATION_ID = '01980a5e-7c1b-7d8e-9f00-5a6b7c8d9e0f';
const TURN_ID = '01980a5e-7c1b-7d8e-9f00-000000000001';
const TASK_ID = '01980a5e-7c1b-7d8e-9f00-000000000002';
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

const STEP = {
  tool: 'task_start',
  input: `{"id":"${TASK_ID}","wait_ms":20000}`,
  status: 'completed',
  duration_ms: 212,
  error: null,
  run: { task_id: TASK_ID, receipt_id: '01980a5e-7c1b-7d8e-9f00-000000000003', trace_id: TRACE_ID },
};

const MESSAGE = [
  `Task ${TASK_ID} (skill \`json-diff\` 1.0.0) is completed.`,
  'Planned without a language model: ran what you named with the arguments of your message.',
].join('\n\n');

export const TURN_EXAMPLE = {
  id: TURN_ID,
  conversation_id: CONVERSATION_ID,
  status: 'completed',
  message: MESSAGE,
  model: 'builtin/planner',
  is_llm: false,
  steps: [STEP],
  usage: { input_tokens: 0, output_tokens: 0, requests: 3 },
  error: null,
  trace_id: TRACE_ID,
  quota: { limit: 100, used: 0, resets_at: '2026-11-21T00:00:00.000Z' },
};

export const EVENTS_EXAMPLE = [
  `event: started\ndata: ${JSON.stringify({ id: TURN_ID, conversation_id: CONVERSATION_ID, model: 'builtin/planner', is_llm: false, trace_id: TRACE_ID })}\n\n`,
  'event: text\ndata: {"step":1,"text":"These match:"}\n\n',
  `event: done\ndata: ${JSON.stringify(TURN_EXAMPLE)}\n\n`,
].join('');

export const CONVERSATION_EXAMPLE = {
  id: CONVERSATION_ID,
  title: 'run json-diff with before=1 after=2',
  turns: 1,
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:01.000Z',
};

const { quota: _, ...KEPT } = TURN_EXAMPLE;

export const WHOLE_EXAMPLE = {
  ...CONVERSATION_EXAMPLE,
  items: [
    {
      ...KEPT,
      input: [{ role: 'user', content: 'run json-diff with before=1 after=2' }],
      created_at: '2026-11-20T12:00:00.000Z',
      finished_at: '2026-11-20T12:00:01.000Z',
    },
  ],
};

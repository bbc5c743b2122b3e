/** Example messages for the contract. */

const ID = '01980000-0000-7000-8000-000000000001';
const CONTEXT = '01980000-0000-7000-8000-000000000002';

export const CALL_EXAMPLE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'SendMessage',
  params: {
    message: {
      messageId: 'm-1',
      role: 'ROLE_USER',
      parts: [{ text: 'Find a skill that compares two JSON documents' }],
    },
  },
};

const TASK = {
  id: ID,
  contextId: CONTEXT,
  status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-31T12:00:00.000Z' },
  artifacts: [
    { artifactId: 'answer', name: 'Answer', parts: [{ text: 'json-diff compares …', mediaType: 'text/markdown' }] },
  ],
  history: [
    {
      messageId: 'm-1',
      contextId: CONTEXT,
      taskId: ID,
      role: 'ROLE_USER',
      parts: [{ text: 'Find a skill that compares two JSON documents' }],
    },
  ],
  metadata: {
    capstan: { model: 'builtin/planner', is_llm: false, trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', runs: [] },
  },
};

export const ANSWER_EXAMPLE = { jsonrpc: '2.0', id: 1, result: { task: TASK } };

export const EVENTS_EXAMPLE = `data: ${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  result: { statusUpdate: { taskId: ID, contextId: CONTEXT, status: TASK.status } },
})}\n\n`;

export const CARD_EXAMPLE = {
  name: 'Capstan core agent',
  description: 'Finds a capability for your request, runs it, and returns the trace and receipt.',
  supportedInterfaces: [
    { url: 'https://capstan.example.com/a2a/core-agent', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ],
  version: '0.1.0',
  capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } } },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/markdown'],
  skills: [
    { id: 'find', name: 'Find capabilities', description: 'Searches servers, skills and listings.', tags: ['search'] },
  ],
};

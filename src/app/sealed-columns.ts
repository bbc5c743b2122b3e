import { signingKeyContext } from '#accounts/tokens/signing-key.ts';
import { clientContext } from '#connections/authorization/clients.ts';
import { flowContext } from '#connections/authorization/flows.ts';
import { handedAnswerContext, handedNextContext } from '#connections/questions/handed-calls.ts';
import { questionContext } from '#connections/questions/question-desk.ts';
import { secretContext } from '#connections/vault/secrets.ts';
import type { SealedColumn } from '#core/crypto/sealed-columns.ts';
import { payloadContext } from '#core/jobs/sealed-payload.ts';
import { answerContext } from '#core/replays/kept-answer.ts';
import { skillSecretContext } from '#runtime/grants/skill-grants.ts';
import { receiptKeyContext } from '#runtime/tasks/receipt-key.ts';
import { mailContext } from '#surfaces/mcp/session-mail.ts';

/** Every column with encrypted data, and the context of each row. Data missing here is lost with its key. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'signing_keys',
    column: 'sealed_private_key',
    key: ['id'],
    context_of: {},
    context: ({ id }) => signingKeyContext(`${id}`),
  },
  {
    table: 'connection_secrets',
    column: 'sealed',
    key: ['connection_id', 'field'],
    context_of: {
      version: 'version',
      user_id: '(SELECT user_id FROM connections WHERE connections.id = connection_secrets.connection_id)',
    },
    context: (row) => secretContext(row as unknown as Parameters<typeof secretContext>[0]),
  },
  {
    table: 'skill_secrets',
    column: 'sealed',
    key: ['user_id', 'skill', 'field'],
    context_of: { version: 'version' },
    context: (row) => skillSecretContext(row as unknown as Parameters<typeof skillSecretContext>[0]),
  },
  {
    table: 'connection_flows',
    column: 'sealed',
    key: ['state_hash'],
    context_of: { user_id: 'user_id', connection_id: 'connection_id' },
    context: (row) => flowContext(row as unknown as Parameters<typeof flowContext>[0]),
  },
  {
    table: 'connection_clients',
    column: 'sealed',
    key: ['issuer', 'redirect_uri'],
    context_of: {},
    context: (row) => clientContext(row as unknown as Parameters<typeof clientContext>[0]),
  },
  {
    table: 'tasks',
    column: 'receipt_key',
    key: ['id'],
    context_of: {},
    context: ({ id }) => receiptKeyContext(`${id}`),
  },
  {
    table: 'idempotency_keys',
    column: 'sealed_answer',
    key: ['owner', 'operation', 'key'],
    context_of: {},
    context: (row) => answerContext(row as unknown as Parameters<typeof answerContext>[0]),
  },
  {
    table: 'mcp_session_mail',
    column: 'sealed_message',
    key: ['id'],
    context_of: { session_id: 'session_id', address: 'address' },
    context: (row) => mailContext(row as unknown as Parameters<typeof mailContext>[0]),
  },
  {
    table: 'server_questions',
    column: 'answer',
    key: ['id'],
    context_of: {},
    context: ({ id }) => questionContext(`${id}`),
  },
  {
    table: 'suspended_calls',
    column: 'answer',
    key: ['id'],
    context_of: {},
    context: ({ id }) => handedAnswerContext(`${id}`),
  },
  {
    table: 'suspended_calls',
    column: 'next',
    key: ['id'],
    context_of: {},
    context: ({ id }) => handedNextContext(`${id}`),
  },
  {
    table: 'jobs',
    column: 'payload',
    key: ['id'],
    before: '{"sealed":"',
    context_of: { kind: 'kind', job_key: 'key' },
    context: ({ kind, job_key }) => payloadContext(`${kind}`, `${job_key}`),
  },
];

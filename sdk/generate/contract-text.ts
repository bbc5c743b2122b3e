import { type Document, type Operation, operationsOf, type Schema } from './document.ts';
import { kindOf, mediaOf } from './media.ts';
import { block, memberText, nameOf, noteText, typeText } from './type-text.ts';

/** `generated/contract.ts`: the input and result types of every operation. */

/** Streams are plain text to OpenAPI 3.1: their items are declared in src/stream-items.ts. */
const STREAM_ITEMS: Record<string, string> = {
  'runtime.tasks.watch': 'TaskEvent',
  'surfaces.agent.chat': 'ChatEvent',
  'connections.tools.call': 'ToolCallEvent',
  'connections.connections.create': 'ConnectionEvent',
  'connections.hosts.replace': 'ConnectionEvent',
  'connections.credentials.store': 'CredentialsEvent',
  'catalog.items.export': 'ExportLine',
};

export function contractText(document: Document): string {
  const schemas = Object.entries((document.components.schemas ?? {}) as Record<string, Schema>).map(
    ([name, schema]) => `${noteText(schema.description)}export type ${nameOf(name)} = ${typeText(schema)};`,
  );
  return [
    '// Made from openapi.yaml by `npm run capstand -- schema --write`.',
    `import type { ${[...new Set([...Object.values(STREAM_ITEMS), 'ServerEvent'])].sort().join(', ')} } from "../stream-items.ts";`,
    ...schemas,
    'export interface Operations {',
    ...namespaces(operationsOf(document)),
    '}',
    '',
  ].join('\n');
}

function namespaces(operations: Operation[]): string[] {
  const byName = Map.groupBy(operations, ({ id }) => id.split('.')[1] as string);
  return [...byName].map(([name, all]) => `${name}: {\n${all.map(operationText).join('\n')}\n};`);
}

function operationText(operation: Operation): string {
  const { summary, description } = operation.node;
  const note = noteText(`${summary}. ${description} \`${operation.method} ${operation.path}\``);
  const [first, ...more] = mediaOf(operation);
  const answer = first === undefined ? emptyAnswer(operation) : answerText(operation, first);
  const also = more.map((type) => `${JSON.stringify(type)}: ${answerText(operation, type)}`);
  const members = [
    `input: ${inputText(operation)}`,
    `answer: ${answer}`,
    ...(also.length > 0 ? [`also: { ${also.join('; ')} }`] : []),
  ];
  return `${note}${operation.id.split('.')[2]}: ${block(members)};`;
}

const isRedirect = ({ statuses }: Operation): boolean => statuses.includes(303);

const emptyAnswer = (operation: Operation): string =>
  isRedirect(operation) ? '{ location: string | null }' : 'undefined';

function answerText(operation: Operation, type: string): string {
  const kind = kindOf(type);
  if (kind === 'events') return `AsyncGenerator<${STREAM_ITEMS[operation.id] ?? 'ServerEvent'}, void, void>`;
  if (kind === 'lines') return `AsyncGenerator<${STREAM_ITEMS[operation.id] ?? 'unknown'}, void, void>`;
  if (kind === 'bytes') return 'Uint8Array';
  if (kind === 'text') return 'string';
  const texts = [...new Set((operation.answers.get(type) ?? []).map((schema) => typeText(schema)))];
  const nothing = operation.statuses.includes(202) && operation.statuses.length > 1 ? ['undefined'] : [];
  return [...texts, ...(isRedirect(operation) ? ['{ location: string | null }'] : []), ...nothing].join(' | ');
}

function inputText({ id, parameters, body }: Operation): string {
  const taken = parameters.filter((parameter) => parameter.in !== 'header');
  const names = taken.map(({ name }) => name);
  if (new Set([...names, 'body']).size !== names.length + 1) throw new Error(`${id} has two parameters of one name`);
  const members = taken.map(({ name, required, schema, description }) =>
    memberText(name, typeText(schema), { sent: true, optional: required !== true, note: description }),
  );
  if (body !== null)
    members.push(memberText('body', typeText(body.schema, { sent: true }), { sent: true, optional: !body.required }));
  return members.length === 0 ? 'Record<string, never>' : block(members);
}

import { parse } from 'yaml';

/** The parts of an OpenAPI 3.1 document that a client is made from. */

export type Schema = Record<string, unknown>;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface OperationNode {
  operationId: string;
  summary: string;
  description: string;
  security: Record<string, unknown>[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> } | { $ref: string };
  'x-signs'?: string[];
  'x-confirm-window'?: string;
  responses: Record<string, { content?: Record<string, { schema: Schema }> } | { $ref: string }>;
}

export interface Document {
  info: { version: string };
  paths: Record<string, Record<string, OperationNode>>;
  components: Record<string, Record<string, unknown>>;
}

export const readDocument = (yaml: string): Document => parse(yaml, { maxAliasCount: -1 }) as Document;

/** The value, or the target of its `$ref` within the document. */
function resolve<T extends object>(document: Document, requestBody: T | { $ref: string }): T {
  if (!('$ref' in requestBody) || typeof requestBody.$ref !== 'string') return requestBody as T;
  const found = requestBody.$ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
  if (found === undefined) throw new Error(`${requestBody.$ref} has no target`);
  return resolve(document, found as T);
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  node: OperationNode;
  parameters: Parameter[];
  body: { required: boolean; media_type: string; schema: Schema } | null;
  /** Media type to schema, of the success responses. */
  answers: Map<string, Schema[]>;
  /** Answers of success without a body, and redirects. */
  statuses: number[];
}

export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, node]) => operationOf(document, path, method.toUpperCase(), node)),
  );
}

function operationOf(document: Document, path: string, method: string, node: OperationNode): Operation {
  const answers = new Map<string, Schema[]>();
  const good = Object.entries(node.responses).filter(([status]) => /^[23]/.test(status));
  for (const [status, entry] of good) {
    const { content = {} } = resolve(document, entry);
    if (status.startsWith('2'))
      for (const [type, { schema }] of Object.entries(content))
        answers.set(type, [...(answers.get(type) ?? []), schema]);
  }
  const body = node.requestBody === undefined ? null : resolve(document, node.requestBody);
  const [media_type, sent] = Object.entries(body?.content ?? {})[0] ?? [];
  return {
    id: node.operationId,
    method,
    path,
    node,
    answers,
    parameters: (node.parameters ?? []).map((parameter) => resolve(document, parameter)),
    body:
      media_type === undefined || sent === undefined
        ? null
        : { required: body?.required === true, media_type, schema: sent.schema },
    statuses: good.map(([status]) => Number(status)),
  };
}

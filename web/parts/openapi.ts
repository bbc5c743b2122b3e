import type { OpenApi } from '../server/page.ts';

/** Reads the OpenAPI document for the reference: the operations of a chapter with references resolved. */

type Node = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: Node;
  example?: unknown;
}

export interface Answered {
  status: string;
  description: string;
  media_type: string;
  schema: Node | null;
  example: unknown;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  security: readonly Node[];
  parameters: readonly Parameter[];
  body: { media_type: string; schema: Node; example: unknown; required: boolean } | null;
  answers: readonly Answered[];
}

/** Operations in the order of the contract. */
export function operationsOf(document: OpenApi, chapter: string): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, method]) => (method as { tags?: string[] }).tags?.includes(chapter))
      .map(([method, entry]) => operationOf(document, method.toUpperCase(), path, entry as Node)),
  );
}

function operationOf(document: OpenApi, method: string, path: string, node: Node): Operation {
  const parameters = ((node.parameters ?? []) as Node[]).map(
    (each) => resolved(document, each) as unknown as Parameter,
  );
  return {
    id: `${node.operationId}`,
    method,
    path,
    summary: `${node.summary}`,
    description: `${node.description}`,
    security: (node.security ?? []) as Node[],
    parameters,
    body: bodyOf(document, node.requestBody as Node | undefined),
    answers: Object.entries(node.responses as Node).map(([status, each]) => answerOf(document, status, each as Node)),
  };
}

function bodyOf(document: OpenApi, given: Node | undefined): Operation['body'] {
  if (given === undefined) return null;
  const body = resolved(document, given);
  const [media_type, content] = firstOf(body.content);
  const schema = resolved(document, (content.schema ?? {}) as Node);
  return { media_type, schema, example: exampleOf(document, content), required: body.required === true };
}

function answerOf(document: OpenApi, status: string, given: Node): Answered {
  const answer = resolved(document, given);
  const [media_type, content] = firstOf(answer.content);
  const schema = content.schema === undefined ? null : resolved(document, content.schema as Node);
  return { status, description: `${answer.description}`, media_type, schema, example: exampleOf(document, content) };
}

const firstOf = (content: unknown): [string, Node] =>
  (Object.entries((content ?? {}) as Node)[0] as [string, Node] | undefined) ?? ['', {}];

function exampleOf(document: OpenApi, content: Node): unknown {
  if (content.example !== undefined) return content.example;
  const [, first] = firstOf(content.examples);
  return resolved(document, first).value;
}

/** Resolves a `$ref` and keeps its sibling members. */
function resolved(document: OpenApi, node: Node): Node {
  if (typeof node.$ref !== 'string') return node;
  const { $ref, ...beside } = node;
  let found: unknown = document;
  for (const part of node.$ref.replace(/^#\//, '').split('/'))
    found = (found as Node)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  return { ...resolved(document, found as Node), ...beside };
}

const DEEPEST = 8;

/** A schema with its references resolved, down to the depth that pages show. */
export function whole(document: OpenApi, node: unknown, depth = 0): unknown {
  if (Array.isArray(node)) return node.map((node) => whole(document, node, depth + 1));
  if (typeof node !== 'object' || node === null) return node;
  if (depth > DEEPEST) return {};
  return Object.fromEntries(
    Object.entries(resolved(document, node as Node)).map(([name, node]) => [name, whole(document, node, depth + 1)]),
  );
}

import type { OpenApi } from '../server/page.ts';

/** The contract as the reference reads it: operations of a chapter, with what they name put in place. */

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

/** In the order of the contract. */
export function operationsOf(document: OpenApi, chapter: string): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, it]) => (it as { tags?: string[] }).tags?.includes(chapter))
      .map(([method, it]) => operationOf(document, method.toUpperCase(), path, it as Node)),
  );
}

function operationOf(document: OpenApi, method: string, path: string, it: Node): Operation {
  const parameters = ((it.parameters ?? []) as Node[]).map((each) => resolved(document, each) as unknown as Parameter);
  return {
    id: `${it.operationId}`,
    method,
    path,
    summary: `${it.summary}`,
    description: `${it.description}`,
    security: (it.security ?? []) as Node[],
    parameters,
    body: bodyOf(document, it.requestBody as Node | undefined),
    answers: Object.entries(it.responses as Node).map(([status, each]) => answerOf(document, status, each as Node)),
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

/** What a reference names, with what stands beside the reference. */
export function resolved(document: OpenApi, node: Node): Node {
  if (typeof node.$ref !== 'string') return node;
  const { $ref, ...beside } = node;
  let found: unknown = document;
  for (const part of node.$ref.replace(/^#\//, '').split('/'))
    found = (found as Node)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  return { ...resolved(document, found as Node), ...beside };
}

const DEEPEST = 8;

/** A schema with everything in it that it names, as far down as one reads. */
export function whole(document: OpenApi, node: unknown, depth = 0): unknown {
  if (Array.isArray(node)) return node.map((it) => whole(document, it, depth + 1));
  if (typeof node !== 'object' || node === null) return node;
  if (depth > DEEPEST) return {};
  return Object.fromEntries(
    Object.entries(resolved(document, node as Node)).map(([name, it]) => [name, whole(document, it, depth + 1)]),
  );
}

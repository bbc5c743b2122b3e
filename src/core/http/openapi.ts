import type { TSchema } from 'typebox';
import { Document, isCollection, isScalar, visit } from 'yaml';
import { defined } from '#core/defined.ts';
import { ownTurn } from '#core/threads/own-turn.ts';
import { formSchemas } from './openapi/forms.ts';
import { usedHeaders } from './openapi/gates.ts';
import { describeOperation } from './openapi/operation.ts';
import { PROBLEM_SCHEMA, type ProblemNotes, problemAnswers } from './openapi/problems.ts';
import { schemaNamer } from './openapi/schema.ts';
import { securitySchemes } from './openapi/security.ts';
import { type Node, tagOf } from './openapi/shape.ts';
import { shareRepeated } from './openapi/share.ts';
import type { OperationBase } from './operation.ts';

/** Renders the contract as an OpenAPI 3.1 document. A pure function: the same contract gives the same text. */

export interface OpenApiInput {
  operations: readonly OperationBase[];
  info: { title: string; version: string; description: string };
  /** The URL of the service. `/` means the host that served this document. */
  server_url: string;
  /** One per resource, in the order of the chapters. Tags without operations are omitted. */
  tags: readonly { name: string; description: string }[];
  /** Every problem code that an operation names or implies. */
  problems: ProblemNotes;
  /** Schemas that become named components wherever they occur. */
  schemas: Record<string, TSchema>;
}

export function openApiDocument(input: OpenApiInput): Node {
  const steps = documentSteps(input);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same, in many turns of the event loop: the whole takes longer than a request may hold it. */
export async function openApiDocumentInTurns(input: OpenApiInput): Promise<Node> {
  const steps = documentSteps(input);
  for (;;) {
    await ownTurn();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** About so many operations are described in a millisecond or two. */
const OPERATIONS_AT_ONCE = 10;

function* documentSteps(input: OpenApiInput): Generator<undefined, Node> {
  const { operations, info } = input;
  const named = schemaNamer(input.schemas);
  const paths: Record<string, Node> = {};
  for (const [index, operation] of operations.entries()) {
    if (index % OPERATIONS_AT_ONCE === 0) yield;
    const at = paths[operation.path] ?? {};
    at[operation.method.toLowerCase()] = describeOperation(operation, input.problems, named.use);
    paths[operation.path] = at;
  }
  yield;
  const shared = shareRepeated(paths);
  yield;
  const security = securitySchemes(operations);
  const responses = problemAnswers(operations, input.problems);
  yield;
  const schemas = { Problem: PROBLEM_SCHEMA, ...formSchemas(operations), ...named.components() };
  yield;
  return {
    openapi: '3.1.0',
    info: {
      ...info,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      contact: { name: `The ${info.title} contributors` },
    },
    servers: [{ url: input.server_url }],
    tags: input.tags.filter(({ name }) => operations.some((operation) => tagOf(operation) === name)),
    paths,
    components: {
      schemas,
      responses,
      ...shared,
      ...usedHeaders({ paths, responses }),
      ...defined({ securitySchemes: security ?? undefined }),
    },
  };
}

/** Renders small objects and examples on one line, which halves the length of the document. */
export function renderOpenApi(input: OpenApiInput): string {
  const document = new Document(openApiDocument(input), { aliasDuplicateObjects: false });
  visit(document, {
    Pair: (_, { key, value }) => {
      if (isScalar(key) && /^(example|value)$/.test(`${key.value}`) && isCollection(value)) value.flow = true;
    },
    // Some common parsers take a question mark in a flow mapping for a key.
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && node.value.includes('?')) node.type = 'QUOTE_DOUBLE';
    },
    Collection: (_, node) => {
      node.flow ||= JSON.stringify(node.toJSON()).length <= MOST_ON_ONE_LINE;
    },
  });
  return document.toString({ lineWidth: 0, indentSeq: false, flowCollectionPadding: false });
}

const MOST_ON_ONE_LINE = 400;

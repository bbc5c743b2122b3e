import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { INDEX_EXAMPLE, Index } from './index-shape.ts';

/** The docs feature as data: what the service says about itself. */

export const docsContract = {
  getIndex: operation({
    id: 'surfaces.docs.getIndex',
    method: 'GET',
    path: '/',
    also: ['/api'],
    summary: 'What this service is and where everything is',
    description:
      'The root index. `/api` is always JSON; `/` is a page with the search for whoever prefers `text/html`, as browsers do. ' +
      '`endpoints` lists what can be called now.',
    access: 'public',
    open_query: true,
    answers: {
      200: {
        description: 'The index.',
        content: {
          'application/json': { schema: Index, example: INDEX_EXAMPLE },
          'text/html': { schema: Type.String(), example: '<!doctype html>\n<html lang="en">…</html>\n' },
        },
      },
    },
    problems: [],
  }),
  getLlmsTxt: operation({
    id: 'surfaces.docs.getLlmsTxt',
    method: 'GET',
    path: '/llms.txt',
    summary: 'An index for language models',
    description: 'A title, a summary and lists of links in Markdown, in the form of llms.txt.',
    access: 'public',
    answers: {
      200: {
        description: 'The index.',
        content: { 'text/plain': { schema: Type.String(), example: '# Capstan\n\n> Find an agent capability …\n' } },
      },
    },
    problems: [],
  }),
  getMd: operation({
    id: 'surfaces.docs.getMd',
    method: 'GET',
    path: '/api/docs.md',
    summary: 'The documentation of the API in Markdown',
    description: 'First steps, rules that hold everywhere, every operation with an example, every problem code.',
    access: 'public',
    answers: {
      200: {
        description: 'The documentation.',
        content: { 'text/markdown': { schema: Type.String(), example: '# The Capstan API\n' } },
      },
    },
    problems: [],
  }),
  get: operation({
    id: 'surfaces.docs.get',
    method: 'GET',
    path: '/docs',
    summary: 'The documentation',
    description: 'A page with the guides, or the same as `/api/docs.md` where the client prefers `text/markdown`.',
    open_query: true,
    access: 'public',
    answers: {
      200: {
        description: 'The documentation.',
        content: {
          'text/html': { schema: Type.String(), example: '<!doctype html>\n<html lang="en">…</html>\n' },
          'text/markdown': { schema: Type.String(), example: '# The Capstan API\n' },
        },
      },
    },
    problems: [],
  }),
  getSchema: operation({
    id: 'surfaces.docs.getSchema',
    method: 'GET',
    path: '/api/schema',
    summary: 'The contract as OpenAPI 3.1',
    description: 'This document, in YAML, as the running program holds to it.',
    access: 'public',
    answers: {
      200: {
        description: 'The document.',
        content: { 'application/yaml': { schema: Type.String(), example: 'openapi: 3.1.0\n' } },
      },
    },
    problems: [],
  }),
  getSchemaVersion: operation({
    id: 'surfaces.docs.getSchemaVersion',
    method: 'GET',
    path: '/api/schema/version',
    summary: 'The version of the contract',
    description:
      'Semantic version and title of the contract, so that a client can tell drift. ' +
      "It moves with the contract and not with the service's own version.",
    access: 'public',
    answers: {
      200: {
        description: 'The version.',
        content: {
          'application/json': {
            schema: Type.Object({ version: Type.String(), title: Type.String() }),
            example: { version: '0.1.0', title: 'Capstan' },
          },
        },
      },
    },
    problems: [],
  }),
  getErrorPage: operation({
    id: 'surfaces.docs.getErrorPage',
    method: 'GET',
    path: '/docs/errors/{code}',
    summary: 'What a problem code means',
    description:
      'The page that `type` of a problem names: what it means, why it happens, what to do. ' +
      'HTML for whoever prefers it, Markdown otherwise, and always for `{code}.md`.',
    access: 'public',
    open_query: true,
    params: Type.Object({ code: Type.String({ maxLength: 200, description: 'A problem code, also with `.md`.' }) }),
    examples: { code: 'http.invalid_input' },
    answers: {
      200: {
        description: 'The page.',
        content: {
          'text/markdown': { schema: Type.String(), example: '# http.invalid_input\n\nA part of the request …\n' },
          'text/html': { schema: Type.String(), example: '<!doctype html>\n<html lang="en">…</html>\n' },
        },
      },
    },
    problems: ['docs.not_found'],
  }),
  getAsset: operation({
    id: 'surfaces.docs.getAsset',
    method: 'GET',
    path: '/assets/{name}',
    summary: 'A file that the pages need',
    description: 'Style sheets, scripts and icon of the pages on which users sign in.',
    access: 'public',
    params: Type.Object({ name: Type.String({ maxLength: 100, description: 'Name of the file.' }) }),
    examples: { name: 'page.css' },
    answers: {
      200: {
        description: 'The file.',
        content: {
          'text/css': { schema: Type.String(), example: 'body { margin: 0 }' },
          'text/javascript': { schema: Type.String(), example: "document.querySelector('#email').focus();\n" },
          'image/svg+xml': { schema: Type.String(), example: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
        },
      },
    },
    problems: ['docs.not_found'],
  }),
} as const;

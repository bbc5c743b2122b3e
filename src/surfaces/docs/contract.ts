import { jsonAnswer, jsonContent, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { INDEX_EXAMPLE, Index } from './index-shape.ts';

/** The service's description of itself. */

export const docsContract = {
  getIndex: operation({
    id: 'surfaces.docs.getIndex',
    method: 'GET',
    path: '/',
    also: ['/api'],
    summary: 'Get the root index',
    description:
      'Lists the parts of the service. `/api` is always JSON; `/` returns the search page if the client prefers `text/html`. ' +
      '`endpoints` lists the available operations.',
    access: 'public',
    open_query: true,
    answers: {
      200: {
        description: 'The index.',
        content: {
          ...jsonContent(Index, INDEX_EXAMPLE),
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
    summary: 'Get llms.txt',
    description: 'Title, summary and links in Markdown, in the llms.txt format.',
    access: 'public',
    answers: {
      200: {
        description: 'The index.',
        content: { 'text/plain': { schema: Type.String(), example: '# Capstan\n\n> Find an agent capability …\n' } },
      },
    },
    problems: [],
  }),
  getLlmsFull: operation({
    id: 'surfaces.docs.getLlmsFull',
    method: 'GET',
    path: '/llms-full.txt',
    summary: 'Get the whole documentation as one text',
    description: 'All guides and the API documentation in Markdown, for language models with a large context.',
    access: 'public',
    answers: {
      200: {
        description: 'The documentation.',
        content: { 'text/plain': { schema: Type.String(), example: '# Capstan\n\n> Find an agent capability …\n' } },
      },
    },
    problems: [],
  }),
  getMd: operation({
    id: 'surfaces.docs.getMd',
    method: 'GET',
    path: '/api/docs.md',
    summary: 'Get the API documentation in Markdown',
    description: 'First steps, general conventions, all operations with examples, and all error codes.',
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
    description: 'The guides as a page, or `/api/docs.md` if the client prefers `text/markdown`.',
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
    also: ['/openapi.yaml'],
    summary: 'Get the OpenAPI 3.1 document',
    description: 'This document in YAML, for the running version.',
    access: 'public',
    answers: {
      200: {
        description: 'The document.',
        content: { 'application/yaml': { schema: Type.String(), example: 'openapi: 3.1.0\n' } },
      },
    },
    problems: [],
  }),
  getSchemaJson: operation({
    id: 'surfaces.docs.getSchemaJson',
    method: 'GET',
    path: '/openapi.json',
    also: ['/.well-known/openapi.json'],
    summary: 'Get the OpenAPI 3.1 document as JSON',
    description: 'The same document as `/api/schema`, for tools that read only JSON.',
    access: 'public',
    answers: {
      200: jsonAnswer('The document.', Type.Record(Type.String(), Type.Unknown()), {
        openapi: '3.1.0',
        info: { title: 'Capstan', version: '0.1.0' },
        paths: {},
      }),
    },
    problems: [],
  }),
  getSchemaVersion: operation({
    id: 'surfaces.docs.getSchemaVersion',
    method: 'GET',
    path: '/api/schema/version',
    summary: 'Get the version of the contract',
    description:
      'Semantic version and title of the contract, for clients to detect changes. ' +
      'Independent of the version of the service.',
    access: 'public',
    answers: {
      200: jsonAnswer('The version.', Type.Object({ version: Type.String(), title: Type.String() }), {
        version: '0.1.0',
        title: 'Capstan',
      }),
    },
    problems: [],
  }),
  getErrorPage: operation({
    id: 'surfaces.docs.getErrorPage',
    method: 'GET',
    path: '/docs/errors/{code}',
    summary: 'Get the documentation of an error code',
    description:
      'The page that `type` of a problem links to: meaning, cause and fix. ' +
      'HTML if the client prefers it, otherwise Markdown. `{code}.md` is always Markdown.',
    access: 'public',
    open_query: true,
    params: Type.Object({ code: Type.String({ maxLength: 200, description: 'Error code, optionally with `.md`.' }) }),
    examples: { code: 'http.invalid' },
    answers: {
      200: {
        description: 'The page.',
        content: {
          'text/markdown': { schema: Type.String(), example: '# http.invalid\n\nThe request is invalid.\n' },
          'text/html': { schema: Type.String(), example: '<!doctype html>\n<html lang="en">…</html>\n' },
        },
      },
      308: jsonAnswer(
        'Redirect from a former code. `Location` is the page of the code that replaced it.',
        Type.Object({ location: Type.String() }),
        { location: '/docs/errors/http.invalid#json' },
      ),
    },
    problems: ['http.not_found'],
  }),
  getFavicon: operation({
    id: 'surfaces.docs.getFavicon',
    method: 'GET',
    path: '/favicon.ico',
    summary: 'Get the icon of the service',
    description: 'For clients that request it without reading a page: 16, 32 and 48 pixels.',
    access: 'public',
    answers: {
      200: {
        description: 'The icon.',
        content: { 'image/x-icon': { schema: Type.String({ format: 'binary' }), example: '(bytes)' } },
      },
    },
    problems: [],
  }),
  getAsset: operation({
    id: 'surfaces.docs.getAsset',
    method: 'GET',
    path: '/assets/{name}',
    summary: 'Get a page asset',
    description: 'Style sheets, fonts, scripts and icons of the web pages.',
    access: 'public',
    params: Type.Object({ name: Type.String({ maxLength: 100, description: 'File name.' }) }),
    examples: { name: 'page.css' },
    answers: {
      200: {
        description: 'The file.',
        content: {
          'text/css': { schema: Type.String(), example: 'body { margin: 0 }' },
          'text/javascript': { schema: Type.String(), example: "document.querySelector('#email').focus();\n" },
          'image/svg+xml': { schema: Type.String(), example: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
          'font/woff2': { schema: Type.String({ format: 'binary' }), example: '(bytes)' },
        },
      },
    },
    problems: ['http.not_found'],
  }),
} as const;

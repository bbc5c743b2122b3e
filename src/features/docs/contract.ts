import type { Static } from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { Type } from '../../platform/json-schema/type.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '../registry/kinds.ts';
import { INDEX_EXAMPLE, Index } from './index-shape.ts';

/** The docs feature as data: what the service says about itself. */

/** A form sends a choice that was not made as an empty value. */
const anyOf = <const T extends string>(values: readonly T[], description: string) =>
  Type.Optional(Type.Enum(['', ...values], { description: `${description} Empty means any.` }));

const PAGE_QUERY = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 400, description: 'What the page searches the registry for.' })),
  provider: anyOf(PROVIDERS, 'The page shows only listings of this provider.'),
  listing_type: anyOf(LISTING_TYPES, 'The page shows only listings of this type.'),
  execution_class: anyOf(EXECUTION_CLASSES, 'The page shows only listings of this class.'),
  offset: Type.Integer({ minimum: 0, default: 0, description: 'Results that the page passes over.' }),
});

export type PageQuery = Static<typeof PAGE_QUERY>;

export const docsContract = {
  getIndex: operation({
    id: 'docs.getIndex',
    method: 'GET',
    path: '/',
    also: ['/api'],
    summary: 'What this service is and where everything is',
    description:
      'The root index. `/api` is always JSON; `/` is a page with the search for whoever prefers `text/html`, as browsers do. ' +
      'The parameters belong to the page; the JSON does not depend on them. `endpoints` lists what can be called now.',
    access: 'public',
    query: PAGE_QUERY,
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
    id: 'docs.getLlmsTxt',
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
  getDocsMd: operation({
    id: 'docs.getDocsMd',
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
  getDocs: operation({
    id: 'docs.getDocs',
    method: 'GET',
    path: '/docs',
    summary: 'The documentation of the API as a page',
    description: 'The same as `/api/docs.md`, as HTML unless the client prefers `text/markdown`.',
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
    id: 'docs.getSchema',
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
    id: 'docs.getSchemaVersion',
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
    id: 'docs.getErrorPage',
    method: 'GET',
    path: '/docs/errors/{code}',
    summary: 'What a problem code means',
    description:
      'The page that `type` of a problem names: what it means, why it happens, what to do. ' +
      'HTML for whoever prefers it, Markdown otherwise, and always for `{code}.md`.',
    access: 'public',
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
  getMailedLink: operation({
    id: 'docs.getMailedLink',
    method: 'GET',
    path: '/auth/email',
    summary: 'The page that mailed links open',
    description:
      'Confirms an email address or takes a new password, by the token behind the `#` of the link. Opening it changes ' +
      'nothing: the token is sent when a button is pressed, because programs look at the links of mails too.',
    access: 'public',
    answers: {
      200: {
        description: 'The page.',
        content: { 'text/html': { schema: Type.String(), example: '<!doctype html>\n<html lang="en">…</html>\n' } },
      },
    },
    problems: [],
  }),
  getAsset: operation({
    id: 'docs.getAsset',
    method: 'GET',
    path: '/assets/{name}',
    summary: 'A file that the pages need',
    description: 'Style sheets, script and icon of the pages.',
    access: 'public',
    params: Type.Object({ name: Type.String({ maxLength: 100, description: 'Name of the file.' }) }),
    examples: { name: 'page.css' },
    answers: {
      200: {
        description: 'The file.',
        content: {
          'text/css': { schema: Type.String(), example: 'body { margin: 0 }' },
          'text/javascript': { schema: Type.String(), example: "document.querySelector('#search').focus();\n" },
          'image/svg+xml': { schema: Type.String(), example: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
        },
      },
    },
    problems: ['docs.not_found'],
  }),
} as const;

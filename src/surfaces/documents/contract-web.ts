import { PROVIDERS } from '#catalog/items/kinds.ts';
import { jsonContent, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { FEED_EXAMPLE } from '#surfaces/interop/examples.ts';
import { METRICS } from './badge.ts';

/** Documents for crawlers, feed readers, browsers and README files. */

const FEEDS = ['new.atom', 'new.json', 'changed.atom', 'changed.json'] as const;

const ShieldsBadge = Type.Object({
  schemaVersion: Type.Literal(1),
  label: Type.String(),
  message: Type.String({ minLength: 1 }),
  color: Type.String(),
});

export const webContract = {
  getSitemap: operation({
    id: 'surfaces.documents.getSitemap',
    method: 'GET',
    path: '/sitemap.xml',
    summary: 'Get the sitemap index',
    description: 'The parts of the sitemap: one for pages, and one or more for each provider.',
    access: 'public',
    answers: {
      200: {
        description: 'The index.',
        content: { 'application/xml': { schema: Type.String(), example: '<?xml version="1.0" encoding="UTF-8"?>\n…' } },
      },
    },
    problems: ['http.unavailable'],
  }),
  getSitemapPart: operation({
    id: 'surfaces.documents.getSitemapPart',
    method: 'GET',
    path: '/sitemaps/{part}',
    summary: 'Get a part of the sitemap',
    description: 'At most 50,000 URLs. Listing URLs include the time of their last change.',
    access: 'public',
    params: Type.Object({
      part: Type.String({ maxLength: 100, description: '`pages.xml`, or `<provider>-<n>.xml`.' }),
    }),
    examples: { part: 'pages.xml' },
    answers: {
      200: {
        description: 'The part.',
        content: { 'application/xml': { schema: Type.String(), example: '<?xml version="1.0" encoding="UTF-8"?>\n…' } },
      },
    },
    problems: ['http.not_found', 'http.unavailable'],
  }),
  getRobots: operation({
    id: 'surfaces.documents.getRobots',
    method: 'GET',
    path: '/robots.txt',
    summary: 'Get robots.txt',
    description: 'Allows everything except sign-in, and links the sitemap.',
    access: 'public',
    answers: {
      200: {
        description: 'The rules.',
        content: { 'text/plain': { schema: Type.String(), example: 'User-agent: *\nAllow: /\n' } },
      },
    },
    problems: [],
  }),
  getSecurityTxt: operation({
    id: 'surfaces.documents.getSecurityTxt',
    method: 'GET',
    path: '/.well-known/security.txt',
    also: ['/security.txt'],
    summary: 'Get security.txt',
    description: 'Where to report vulnerabilities (RFC 9116), if the operator has set `CAPSTAN_SECURITY_CONTACT`.',
    access: 'public',
    answers: {
      200: {
        description: 'The contact.',
        content: {
          'text/plain': {
            schema: Type.String(),
            example: 'Contact: mailto:security@example.com\nExpires: 2027-05-01T00:00:00.000Z\n',
          },
        },
      },
    },
    problems: ['http.not_found'],
  }),
  getOpenSearch: operation({
    id: 'surfaces.documents.getOpenSearch',
    method: 'GET',
    path: '/opensearch.xml',
    summary: 'Get the OpenSearch description',
    description: 'Lets browsers search the registry from the address bar.',
    access: 'public',
    answers: {
      200: {
        description: 'The description.',
        content: {
          'application/opensearchdescription+xml': {
            schema: Type.String(),
            example: '<?xml version="1.0" encoding="UTF-8"?>\n…',
          },
        },
      },
    },
    problems: [],
  }),
  getFeed: operation({
    id: 'surfaces.documents.getFeed',
    method: 'GET',
    path: '/feeds/{name}',
    summary: 'Get a feed of new or changed listings',
    description:
      '`new`: the 50 most recently added listings. `changed`: the 50 most recently changed at their provider; ' +
      'providers without change times are excluded. As Atom or JSON Feed 1.1.',
    access: 'public',
    params: Type.Object({ name: Type.Enum([...FEEDS], { description: 'Feed and format.' }) }),
    examples: { name: 'new.json' },
    answers: {
      200: {
        description: 'The feed.',
        content: {
          'application/feed+json': {
            schema: Type.Object({
              version: Type.String(),
              title: Type.String(),
              home_page_url: Type.String(),
              feed_url: Type.String(),
              items: Type.Array(
                Type.Object({
                  id: Type.String(),
                  url: Type.String(),
                  title: Type.String(),
                  content_text: Type.String(),
                  date_published: Type.Optional(Type.String({ format: 'date-time' })),
                  date_modified: Type.String({ format: 'date-time' }),
                  authors: Type.Array(Type.Object({ name: Type.String() })),
                  tags: Type.Array(Type.String()),
                }),
              ),
            }),
            example: FEED_EXAMPLE,
          },
          'application/atom+xml': { schema: Type.String(), example: '<?xml version="1.0" encoding="UTF-8"?>\n…' },
        },
      },
    },
    problems: ['http.unavailable'],
  }),
  getBadge: operation({
    id: 'surfaces.documents.getBadge',
    method: 'GET',
    path: '/badges/{provider}/{id}',
    wildcard: 'id',
    summary: 'Get a badge of a listing',
    description:
      'A badge for README files that shows the verification level or another fact of the listing. `.svg` is the picture, ' +
      '`.json` its text in the format of Shields endpoint badges.',
    access: 'public',
    params: Type.Object({
      provider: Type.Enum([...PROVIDERS], { description: 'The provider.' }),
      id: Type.String({
        minLength: 5,
        maxLength: 2_052,
        description: '`external_id`, and `.svg` or `.json`. `/` may be sent plain.',
      }),
    }),
    query: Type.Object({
      show: Type.Enum([...METRICS], { default: 'verification', description: 'What the badge shows.' }),
    }),
    examples: { provider: 'mcp-registry', id: 'example.weather/forecast.svg', show: 'downloads' },
    answers: {
      200: {
        description: 'The badge.',
        content: {
          'image/svg+xml': { schema: Type.String(), example: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
          ...jsonContent(ShieldsBadge, { schemaVersion: 1, label: 'downloads', message: '12.3K', color: '1a6f37' }),
        },
      },
    },
    problems: ['registry.not_found'],
  }),
} as const;

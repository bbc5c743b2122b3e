import type { Handler } from '#core/http/operation.ts';
import { SERVICE } from '#core/service.ts';
import { xml } from '#surfaces/interop/xml.ts';
import type { documentsContract } from './contract.ts';

/** GET /opensearch.xml */
export const getOpenSearch =
  (base_url: string): Handler<typeof documentsContract.getOpenSearch> =>
  () => ({
    media_type: 'application/opensearchdescription+xml; charset=utf-8',
    body: xml`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${SERVICE.title}</ShortName>
<Description>Search skills, servers, harnesses and rigs of eight providers.</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="16" height="16" type="image/svg+xml">${base_url}/assets/icon.svg</Image>
<Url type="text/html" rel="results" template="${base_url}/marketplace?search={searchTerms}"/>
<Url type="application/json" template="${base_url}/api/marketplace/registry?search={searchTerms}&amp;sort=relevance"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${base_url}/opensearch.xml"/>
</OpenSearchDescription>
`.html,
  });

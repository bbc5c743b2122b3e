import { stringify } from 'yaml';
import { conditional, type FakeFaults, type FakeProvider, plain, startFakeProvider } from './fake-server.ts';

/** Docker's static catalog with its validators. `records` are its entries by name, or the document itself as text. */
export const startDockerFake = (options: {
  records: Record<string, unknown> | string;
  /** Means nothing here: the catalog is one document. */
  page_size?: number;
  faults?: FakeFaults;
}): Promise<FakeProvider<Record<string, unknown> | string>> =>
  startFakeProvider(options, (request, records) =>
    request.url.pathname === '/mcp/catalog/v3/catalog.yaml'
      ? conditional(request, { status: 200, type: 'binary/octet-stream', body: documentOf(records) })
      : plain(404, 'Not found'),
  );

// Aliases are off: a test may put one object under many names.
const documentOf = (records: Record<string, unknown> | string): string =>
  typeof records === 'string'
    ? records
    : stringify(
        { version: 3, name: 'docker-mcp', displayName: 'Docker MCP Catalog', registry: records },
        { aliasDuplicateObjects: false },
      );

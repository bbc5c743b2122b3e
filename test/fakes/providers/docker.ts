import { stringify } from 'yaml';
import { conditional, type FakeFaults, type FakeServer, plain, startFakeServer } from './fake-server.ts';

/** Docker's static catalogue with its validators. `records` are its entries by name, or the document itself as text. */
export const startDockerFake = async (options: {
  records: Record<string, unknown> | string;
  /** Means nothing here: the catalogue is one document. */
  page_size?: number;
  faults?: FakeFaults;
}): Promise<FakeServer & { setRecords(records: Record<string, unknown> | string): void }> => {
  let document = documentOf(options.records);
  const server = await startFakeServer(
    (request) =>
      request.url.pathname === '/mcp/catalog/v3/catalog.yaml'
        ? conditional(request, { status: 200, type: 'binary/octet-stream', body: document })
        : plain(404, 'Not found'),
    options.faults,
  );
  return {
    ...server,
    setRecords: (next) => {
      document = documentOf(next);
    },
  };
};

// Aliases are off: a test may put one object under many names.
const documentOf = (records: Record<string, unknown> | string): string =>
  typeof records === 'string'
    ? records
    : stringify(
        { version: 3, name: 'docker-mcp', displayName: 'Docker MCP Catalog', registry: records },
        { aliasDuplicateObjects: false },
      );

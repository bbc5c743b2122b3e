import { conditional, type FakeFaults, type FakeServer, json, plain, startFakeServer } from './fake-server.ts';

/** The gallery's web site: one array at /extensions.json with an ETag. `page_size` means nothing here. */
export const startGeminiExtensionsFake = async (options: {
  records: unknown[];
  page_size?: number;
  faults?: FakeFaults;
}): Promise<FakeServer & { setRecords(records: unknown[]): void }> => {
  let { records } = options;
  const server = await startFakeServer(
    (request) =>
      request.url.pathname === '/extensions.json' ? conditional(request, json(records)) : plain(404, 'Not found'),
    options.faults,
  );
  return {
    ...server,
    setRecords: (next) => {
      records = next;
    },
  };
};

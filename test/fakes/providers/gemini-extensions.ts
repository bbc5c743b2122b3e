import { conditional, type FakeFaults, type FakeProvider, json, plain, startFakeProvider } from './fake-server.ts';

/** The gallery's web site: one array at /extensions.json with an ETag. `page_size` means nothing here. */
export const startGeminiExtensionsFake = (options: {
  records: unknown[];
  page_size?: number;
  faults?: FakeFaults;
}): Promise<FakeProvider<unknown[]>> =>
  startFakeProvider(options, (request, records) =>
    request.url.pathname === '/extensions.json' ? conditional(request, json(records)) : plain(404, 'Not found'),
  );

import { conditional, type FakeFaults, type FakeProvider, json, plain, startFakeProvider } from './fake-server.ts';

/** A raw file host with an ETag per file. `records`: path without its first slash → the marketplace at that path. */
export const startClaudePluginsFake = (options: {
  records: Record<string, unknown>;
  page_size?: number;
  faults?: FakeFaults;
}): Promise<FakeProvider<Record<string, unknown>>> =>
  startFakeProvider(options, (request, records) => {
    const document = records[request.url.pathname.slice(1)];
    // The real host serves every file as text.
    return document === undefined
      ? plain(404, '404: Not Found')
      : conditional(request, { ...json(document), type: 'text/plain; charset=utf-8' });
  });

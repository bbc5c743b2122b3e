import { pageWatermark } from '#catalog/sync/page-watermark.ts';
import type { Page, PageRequest, Provider } from '#catalog/sync/provider.ts';
import { readPage } from '#catalog/sync/read-page.ts';
import { adaptGeminiExtension } from './adapt.ts';
import { GeminiGallery } from './wire.ts';

/** `GET /extensions.json`: the whole gallery in one array, requested with validators. */
async function fetchPage({ get, base_url, validators }: PageRequest): Promise<Page> {
  const answer = await get(`${base_url}/extensions.json`, { validators });
  if (answer.status === 304) {
    return { records: [], next: null, total: null, watermark: null, validators, unchanged: true };
  }
  const gallery = readPage('gemini-extensions', GeminiGallery, answer.text);
  const records = gallery.map(adaptGeminiExtension);
  return {
    records,
    next: null,
    total: gallery.length,
    watermark: pageWatermark(records),
    validators: answer.validators,
  };
}

export const geminiExtensions: Provider = {
  id: 'gemini-extensions',
  title: 'Gemini CLI extensions',
  base_url: 'https://geminicli.com',
  key: 'none',
  incremental: false,
  pace: { concurrency: 1, interval_ms: 1_000, timeout_ms: 30_000, max_bytes: 16_000_000 },
  fetchPage,
};

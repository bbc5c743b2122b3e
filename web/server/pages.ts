import type { Page } from './page.ts';

/** Every page of the service, loaded with its first visit. `{id*}` takes slashes too. */
export const PAGES: readonly [path: string, load: () => Promise<Page>][] = [
  ['/', async () => (await import('../pages/home.ts')).home],
  ['/registry', async () => (await import('../pages/registry.ts')).registry],
  ['/registry/{provider}/{id*}', async () => (await import('../pages/listing.ts')).listing],
  ['/providers', async () => (await import('../pages/providers.ts')).providers],
  ['/docs', async () => (await import('../pages/docs.ts')).docs],
  ['/docs/errors', async () => (await import('../pages/error-codes.ts')).errorCodes],
  ['/docs/errors/{code}', async () => (await import('../pages/error-code.ts')).errorCode],
  ['/docs/{guide}', async () => (await import('../pages/guide.ts')).guide],
  ['/reference', async () => (await import('../pages/reference.ts')).reference],
  ['/reference/{chapter}', async () => (await import('../pages/reference-chapter.ts')).referenceChapter],
  ['/-/theme', async () => (await import('../pages/theme.ts')).theme],
];

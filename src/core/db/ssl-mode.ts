/**
 * Changes the sslmode of a `postgres://` URL. The library treats these modes as `verify-full` and warns about it in
 * many lines at each start; with the explicit mode it does not.
 */
export function withPlainSslMode(url: string): string {
  const parsed = new URL(url);
  const mode = parsed.searchParams.get('sslmode') ?? '';
  if (!['prefer', 'require', 'verify-ca'].includes(mode) || parsed.searchParams.has('uselibpqcompat')) return url;
  parsed.searchParams.set('sslmode', 'verify-full');
  return parsed.href;
}

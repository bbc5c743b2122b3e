/** Of a `postgres://` address. The library holds these to be `verify-full` and warns of it in many lines at each start; said so, it is silent. */
export function withPlainSslMode(url: string): string {
  const parsed = new URL(url);
  const mode = parsed.searchParams.get('sslmode') ?? '';
  if (!['prefer', 'require', 'verify-ca'].includes(mode) || parsed.searchParams.has('uselibpqcompat')) return url;
  parsed.searchParams.set('sslmode', 'verify-full');
  return parsed.href;
}

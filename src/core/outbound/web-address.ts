/** Normalizes an untrusted address for a link: http or https, escaped by the URL parser; otherwise null. */
export function webAddress(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url.href : null;
}

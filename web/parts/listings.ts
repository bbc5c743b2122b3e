/** Slashes stay plain where that is safe. Clients resolve empty, `.` and `..` segments before they send a path. */
export function listingPath(provider_id: string, external_id: string): string {
  const parts = external_id.split('/');
  const safe = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  const id = safe ? parts.map(encodeURIComponent).join('/') : encodeURIComponent(external_id);
  return `/registry/${provider_id}/${id}`;
}

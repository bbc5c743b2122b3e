/** The path of a listing in the API. */
export const itemPath = (provider_id: string, external_id: string): string =>
  `/api/marketplace${pagePath(provider_id, external_id)}`;

/** The path of a listing's page: its id with plain slashes if that is safe, or else encoded as one segment. */
export function pagePath(provider_id: string, external_id: string): string {
  const parts = external_id.split('/');
  // Clients resolve empty, `.` and `..` segments before they send the path.
  const safe = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  const id = safe ? parts.map(encodeURIComponent).join('/') : encodeURIComponent(external_id);
  return `/registry/${provider_id}/${id}`;
}

/** Where a listing is found: its id with plain slashes where that is safe, as one encoded part where it is not. */
export const itemPath = (provider_id: string, external_id: string): string => {
  const parts = external_id.split('/');
  // Clients resolve empty, `.` and `..` parts away before they send the path.
  const safe = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  const id = safe ? parts.map(encodeURIComponent).join('/') : encodeURIComponent(external_id);
  return `/api/marketplace/registry/${provider_id}/${id}`;
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns the source file of an operation: `catalog.items.list` is `src/catalog/items/list.ts`. */
export function fileOf(operation_id: string): string {
  return `src/${operation_id.split('.').map(kebab).join('/')}.ts`;
}

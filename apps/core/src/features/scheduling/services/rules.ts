const MAX_SLUG_LENGTH = 63

/** `Evaluare inițială` → `evaluare-initiala`. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, '')
  return slug.length < 2 ? 'service' : slug
}

/** Only the kind of an error is stored with its row, because messages may quote personal data. */
export function failureName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(code) ? `${error.name} ${code}` : error.name
}

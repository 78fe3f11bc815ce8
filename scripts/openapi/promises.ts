type Json = { [key: string]: Json } & Json[] & string

/** One line per operation, per status, and per error code of a status. */
export function promisesOf(document: object): Set<string> {
  const { paths } = document as { paths: Record<string, Record<string, Json>> }
  const promises = new Set<string>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      const operation = `${method.toUpperCase()} ${path}`
      promises.add(operation)
      for (const [status, answer] of Object.entries((responses ?? {}) as Record<string, Json>)) {
        promises.add(`${operation} ${status}`)
        for (const code of codesOf(resolve(document, answer), document)) promises.add(`${operation} ${status} ${code}`)
      }
    }
  }
  return promises
}

/** Codes are those of the examples: every refusal has one. */
function codesOf(answer: Json, document: object): string[] {
  return Object.values((answer.content ?? {}) as Record<string, Json>)
    .flatMap(({ examples }) => Object.values((examples ?? {}) as Record<string, Json>))
    .flatMap((example) => {
      const { value } = resolve(document, example)
      const code = value?.error?.code ?? value?.name
      return typeof code === 'string' ? [code] : []
    })
}

function resolve(document: object, part: Json): Json {
  if (typeof part.$ref !== 'string') return part
  const steps = (part.$ref as string).slice(2).split('/')
  const target = steps.reduce(
    (at, step) => at[step.replaceAll('~1', '/').replaceAll('~0', '~')] as Json,
    document as Json,
  )
  return resolve(document, target)
}

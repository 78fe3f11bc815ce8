interface Part {
  $ref?: string
  content?: Record<string, { examples?: Record<string, Part> }>
  value?: { error?: { code?: string }; name?: string }
}
type Paths = Record<string, Record<string, { responses?: Record<string, Part> }>>

/** One line per operation, per status, and per error code of a status. */
export function promisesOf(document: object): Set<string> {
  const { paths } = document as { paths: Paths }
  const promises = new Set<string>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      const operation = `${method.toUpperCase()} ${path}`
      promises.add(operation)
      for (const [status, answer] of Object.entries(responses ?? {})) {
        promises.add(`${operation} ${status}`)
        for (const code of codesOf(answer, document)) promises.add(`${operation} ${status} ${code}`)
      }
    }
  }
  return promises
}

/** Codes are those of the examples: every refusal has one. */
function codesOf(answer: Part, document: object): string[] {
  return Object.values(resolve(document, answer).content ?? {})
    .flatMap(({ examples }) => Object.values(examples ?? {}))
    .flatMap((example) => {
      const { value } = resolve(document, example)
      return value?.error?.code ?? value?.name ?? []
    })
}

function resolve(document: object, part: Part): Part {
  if (part.$ref === undefined) return part
  let target: unknown = document
  for (const step of part.$ref.slice(2).split('/'))
    target = (target as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  return resolve(document, target as Part)
}

import { reference } from './components.ts'
import type { Operation } from './operation.ts'
import type { Response } from './responses.ts'

/** Parameters, refusals and their examples that several operations have, each written once. Changes the operations. */
export function shareParts(operations: readonly Operation[]) {
  const parameters = parts<object>('parameters')
  const responses = parts<Response>('responses')
  const examples = parts<object>('examples')
  for (const { parameters: given, responses: answers } of operations) {
    for (const one of given) parameters.count(one)
    for (const answer of Object.values(answers).filter(isRefusal)) responses.count(answer)
  }
  for (const operation of operations) {
    const { parameters: given, responses: answers } = operation
    operation.parameters = given.map((one) => parameters.share(one, 'name' in one ? String(one.name) : ''))
    for (const [status, answer] of Object.entries(answers)) {
      if (isRefusal(answer)) answers[status] = responses.share(answer, refusalName(answer, operation))
    }
  }
  const shown = [responses.shared, ...operations.map((operation) => operation.responses)]
    .flatMap((some) => Object.values(some))
    .flatMap((answer) => ('content' in answer ? Object.values(answer.content ?? {}) : []))
    .flatMap((media): Record<string, object>[] => (media.examples ? [media.examples] : []))
  for (const example of shown.flatMap((map) => Object.values(map))) examples.count(example)
  for (const map of shown)
    for (const [name, example] of Object.entries(map)) map[name] = examples.share(example, name.replace(/_\d+$/, ''))
  return { parameters: parameters.shared, responses: responses.shared, examples: examples.shared }
}

function parts<Part extends object>(kind: 'parameters' | 'responses' | 'examples') {
  const counts = new Map<string, number>()
  const names = new Map<string, string>()
  const shared: Record<string, Part> = {}
  return {
    shared,
    count(part: Part): void {
      const text = JSON.stringify(part)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    },
    share(part: Part, wanted: string): Part | { $ref: string } {
      const text = JSON.stringify(part)
      if ('$ref' in part || (counts.get(text) ?? 0) < 2) return part
      const name = names.get(text) ?? freeName(shared, wanted)
      names.set(text, name)
      shared[name] = part
      return reference(kind, name)
    },
  }
}

function freeName(taken: Record<string, object>, wanted: string): string {
  let name = wanted
  for (let number = 2; name in taken; number++) name = `${wanted}.${number}`
  return name
}

const isRefusal = (answer: Response | { $ref: string }): answer is Response => 'x-error-codes' in answer

/** `forbidden`, `conflict_or_slug_taken`; with the permission, where the example names it. */
function refusalName({ 'x-error-codes': codes = [] }: Response, operation: Operation): string {
  const permission = operation['x-permission']
  const name = codes.join('_or_')
  return codes.includes('forbidden') && typeof permission === 'string'
    ? `${name}.${permission.replaceAll(':', '.')}`
    : name
}

import { capital, stepsOf } from './naming.ts'

// Names for generated clients, from method and URL: `GET /v1/organizations/{id}/locations` is `listLocations`.

const READS: Readonly<Record<string, string>> = { GET: 'get', PUT: 'update', PATCH: 'update', DELETE: 'delete' }
/** A last step that is one thing, although it ends in s. */
const SINGULAR = /(status|analytics)$/
/** A last step that is a list, although it does not end in s. */
const UNCOUNTABLE = new Set(['exercise-equipment', 'break-glass', 'access-log'])

const isParameter = (step: string) => step.startsWith('{')
const isList = (step: string) => UNCOUNTABLE.has(step) || (step.endsWith('s') && !SINGULAR.test(step))

/** A parameter that ends the URL names one of what stands before it; a word that ends a POST is what is done. */
export function operationIdOf(method: string, url: string): string {
  const steps = stepsOf(url)
    .filter((step) => step !== 'public' && step !== 'admin')
    .map((step) => step.replace(/\.\w+$/, ''))
  const nested = steps[0] === 'organizations' && isParameter(steps[1] ?? '') && steps.length > 2
  const [last = 'root', ...before] = (nested ? steps.slice(2) : steps).reverse()
  const owners = before.reverse()
  if (last === 'picker') return `list${nounOf(owners, false)}ForPicker`
  if (isParameter(last)) return `${READS[method] ?? 'create'}${nounOf(owners, true)}`
  if (method === 'POST' && !isList(last)) return verbOf(last, owners)
  if (method === 'POST') return `create${nounOf([...owners, last], true)}`
  return `${method === 'GET' && isList(last) ? 'list' : READS[method]}${nounOf([...owners, last], false)}`
}

/** `form-templates/{id}/publish` → `publishFormTemplate`. */
function verbOf(verb: string, owners: string[]): string {
  const [first = '', ...rest] = pascal(verb)
  return `${first.toLowerCase()}${rest.join('')}${nounOf(owners, true)}`
}

/** `patients/{id}/consents` → `PatientConsents`, or `PatientConsent` for one of them. */
function nounOf(steps: string[], one: boolean): string {
  const words = steps.filter((step) => !isParameter(step))
  return words
    .map((word, index) =>
      word === 'me' && words.length > 1 ? 'My' : pascal(one || index < words.length - 1 ? singular(word) : word),
    )
    .join('')
}

const pascal = (step: string): string =>
  step
    .split(/[^A-Za-z0-9]+/)
    .map(capital)
    .join('')

function singular(word: string): string {
  if (!isList(word) || UNCOUNTABLE.has(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.slice(0, -1)
}

import { type CustomField, FIELD_TYPES, type FieldContent, isObject, takesOptions } from '@tendon/contracts'

interface FieldProblem {
  field: string
  message: string
}

export const NATIONAL_ID_SYSTEM_KEY = 'national_identification_number'

/** The number of such a field is kept encrypted with the patient, never as a value. */
export const isNationalIdField = ({ system_key }: Pick<CustomField, 'system_key'>): boolean =>
  system_key === NATIONAL_ID_SYSTEM_KEY

/** Normalizes texts that people read and choose. */
export function tidy<Content extends Partial<FieldContent>>(content: Content): Content {
  const { label, options } = content
  return {
    ...content,
    ...(label === undefined ? {} : { label: label.normalize().trim() }),
    ...(options ? { options: options.map((option) => option.normalize().trim()) } : {}),
  }
}

/** The part of a field that an edit may change. */
export const contentOf = ({ label, options, description, is_private, sort_order }: FieldContent): FieldContent => ({
  label,
  options,
  description,
  is_private,
  sort_order,
})

type Described = Pick<CustomField, 'key' | 'label' | 'field_type' | 'options'>

/** What is wrong with a field beyond the shape of each member. */
export function problemsOfField(field: Described): FieldProblem[] {
  const options = problemOfOptions(field)
  return [
    ...(options === undefined ? [] : [{ field: 'options', message: options }]),
    ...(['key', 'label'] as const)
      .filter((name) => HOLDS_NUMBERS.has(field.field_type) && asksNationalId(field[name]))
      .map((name) => ({ field: name, message: NO_NATIONAL_ID })),
  ]
}

/** Like `problemsOfField`, for a body of unknown shape: ignores members of the wrong type. */
export function problemsOfBody(body: unknown): FieldProblem[] {
  const { field_type, key, label, options }: Record<string, unknown> = isObject(body) ? body : {}
  const known = FIELD_TYPES.find((type) => type === field_type)
  if (!known) return []
  return problemsOfField(
    tidy({
      field_type: known,
      key: isText(key) ? key : '',
      label: isText(label) ? label : '',
      options: Array.isArray(options) ? options.filter(isText) : null,
    }),
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'

function problemOfOptions({ field_type, options }: Described): string | undefined {
  if (!takesOptions(field_type))
    return options === null ? undefined : 'are allowed only for select, radio and checkbox: omit them'
  if (options === null || options.length === 0) return `are required for ${field_type}`
  return new Set(options).size === options.length ? undefined : 'must not contain duplicates'
}

const HOLDS_NUMBERS: ReadonlySet<string> = new Set(['text', 'textarea', 'number', 'phone'])
const NO_NATIONAL_ID =
  'asks for a national identification number, which is stored encrypted: use the field "national_id" of the patient’s profile'

// In words without accents and signs; the languages of the clinics, and the names that are known everywhere.
const NATIONAL_ID_WORDS = new RegExp(
  `\\b(${[
    'c ?n ?p(ul(ui)?)?',
    's ?s ?n',
    'cod(ul(ui)?)? (numeric )?personal',
    '(cod|numar|nr)(ul(ui)?)? (personal|national) de identificare',
    '(cod|numar|nr)(ul(ui)?)? de identificare (personal|national)a?',
    'personal (numeric(al)? )?code',
    '(national|personal) i ?d(entification|entifier)?',
    '(national|personal) identity (card )?(number|no|nr|code)',
    '(social security|national insurance) (number|no|nr)',
  ].join('|')})\\b`,
)

/** Whether a key or label asks for the number that the state gave a person. */
export const asksNationalId = (text: string): boolean =>
  [text, apart(text)].some((written) => NATIONAL_ID_WORDS.test(wordsOf(written)))

const wordsOf = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')

/** Matches words without separators: nationalId, pacientCNP, CNPCopil, cnp2. */
const apart = (text: string): string =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')

import type { NewPrivacyNoticeTemplate } from '@tendon/contracts'

const TOKEN = /\{\{(section:)?([a-z][a-z0-9_]{0,59})\}\}/g

type Fields = Record<string, string>
interface Text {
  field: string
  text: string
  inSection: boolean
}

/** What keeps a template from being published: every token must mean something, and everything declared must be used. */
export function problemsOfTemplate(template: NewPrivacyNoticeTemplate): Fields {
  const texts = textsOf(template)
  const [body, all] = [texts.filter(({ inSection }) => !inSection), texts.flatMap(({ text }) => tokensOf(text))]
  const { placeholders, toggleable_sections: sections } = template
  return {
    ...problemsOfLanguages(template),
    ...problemsOfTokens(texts, new Set(placeholders.map(({ key }) => key)), new Set(sections.map(({ key }) => key))),
    ...problemsOfEach(placeholders, 'placeholders', ({ key }) =>
      all.some((token) => !token.section && token.key === key) ? undefined : 'is not used in any text',
    ),
    ...problemsOfEach(sections, 'toggleable_sections', ({ key }) =>
      body.every(({ text }) => tokensOf(text).filter((token) => token.section && token.key === key).length === 1)
        ? undefined
        : `must occur exactly once in the text of each language, as {{section:${key}}}`,
    ),
  }
}

const tokensOf = (text: string) =>
  [...text.matchAll(TOKEN)].map(([whole, section, key]) => ({ whole, section: section !== undefined, key }))

function textsOf({ body_with_placeholders, toggleable_sections }: NewPrivacyNoticeTemplate): Text[] {
  const of = (field: string, texts: Record<string, string>, inSection: boolean) =>
    Object.entries(texts).map(([language, text]) => ({ field: `${field}.${language}`, text, inSection }))
  return [
    ...of('body_with_placeholders', body_with_placeholders, false),
    ...toggleable_sections.flatMap(({ body }, place) => of(`toggleable_sections.${place}.body`, body, true)),
  ]
}

/** English everywhere, and each section in the languages of the whole. */
function problemsOfLanguages({ body_with_placeholders, placeholders, toggleable_sections }: NewPrivacyNoticeTemplate) {
  const languages = ['en', ...Object.keys(body_with_placeholders)]
  const wanted: [string, Record<string, string>, string[]][] = [
    ['body_with_placeholders', body_with_placeholders, ['en']],
    ...placeholders.map(({ label }, place): [string, Record<string, string>, string[]] => [
      `placeholders.${place}.label`,
      label,
      ['en'],
    ]),
    ...toggleable_sections.flatMap(({ name, body }, place): [string, Record<string, string>, string[]][] => [
      [`toggleable_sections.${place}.name`, name, ['en']],
      [`toggleable_sections.${place}.body`, body, languages],
    ]),
  ]
  const fields: Fields = {}
  for (const [field, texts, needed] of wanted)
    for (const language of needed) if (!Object.hasOwn(texts, language)) fields[`${field}.${language}`] = 'is required'
  return fields
}

function problemsOfTokens(texts: Text[], placeholders: Set<string>, sections: Set<string>): Fields {
  const fields: Fields = {}
  for (const { field, text, inSection } of texts) {
    const unknown = tokensOf(text).find(({ section, key }) => !(section ? sections : placeholders).has(key ?? ''))
    if (unknown) fields[field] = `names ${unknown.whole}, which is not declared`
    else if (inSection && tokensOf(text).some(({ section }) => section))
      fields[field] = 'must not contain a section: sections belong in the main text'
    else if (/\{\{|\}\}/.test(text.replace(TOKEN, '')))
      fields[field] = 'has "{{" or "}}" outside of a placeholder such as {{clinic_name}} or {{section:marketing}}'
  }
  return fields
}

function problemsOfEach<Item extends { key: string }>(
  items: readonly Item[],
  field: string,
  problemOf: (item: Item) => string | undefined,
): Fields {
  const fields: Fields = {}
  for (const [place, item] of items.entries()) {
    const repeated = items.findIndex(({ key }) => key === item.key) < place
    const problem = repeated ? 'occurs twice' : problemOf(item)
    if (problem) fields[`${field}.${place}.key`] = problem
  }
  return fields
}

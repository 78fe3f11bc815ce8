import type { CodeSplittingGroup, CodeSplittingNameFunction } from 'rolldown'

// A browser has six connections to a server, and each further file costs a round trip. So what every page needs is one file,
// the texts of a language are one, and what several pages of the portal share is one; but forms, which its first page does
// not have, are another.

const TEXTS = /\/(?:messages\/(?:[\w-]+-)?|texts\.)(en|ro)\.ts$/
const MAIN = /\/main\.tsx$/
const FORMS = /\/apps\/web\/ui\/form\//
const SHARED_BY_PAGES = /\/apps\/web\/(?:ui\/(?!form\/)|portal\/)/

const chunkOf: CodeSplittingNameFunction = (id, context) => {
  const language = TEXTS.exec(id)?.[1]
  if (language !== undefined) return `texts-${language}`
  return MAIN.test(id) || !isLoadedFirst(id) ? null : 'first'

  /** Whether main.tsx imports it, directly or indirectly, but not dynamically. */
  function isLoadedFirst(module: string, seen = new Set<string>()): boolean {
    if (MAIN.test(module)) return true
    if (seen.has(module)) return false
    seen.add(module)
    return (context.getModuleInfo(module)?.importers ?? []).some((importer) => isLoadedFirst(importer, seen))
  }
}

export const chunkGroups = (app: string): CodeSplittingGroup[] => [
  { name: chunkOf, debugName: 'first', priority: 1 },
  ...(app === 'portal'
    ? [
        { name: 'parts', test: SHARED_BY_PAGES, minShareCount: 2 },
        { name: 'forms', test: FORMS, minShareCount: 2 },
      ]
    : []),
]

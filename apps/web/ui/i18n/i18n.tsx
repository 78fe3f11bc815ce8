import { createContext, type ReactNode, useContext, useState } from 'react'
import { IntlProvider } from 'use-intl'
import type { Language } from './language.ts'
import type { Messages } from './messages.ts'

export type LoadMessages = (language: Language) => Promise<Partial<Messages>>

export interface Loaded {
  language: Language
  messages: Partial<Messages>
}

interface LanguageContext extends Loaded {
  change: (language: Language) => Promise<void>
}

const Context = createContext<LanguageContext | null>(null)

export function useLanguage(): LanguageContext {
  const context = useContext(Context)
  if (!context) throw new Error('no language above this component')
  return context
}

/** The texts of one language; another is loaded when it is chosen. */
export function I18n({ start, load, children }: { start: Loaded; load: LoadMessages; children: ReactNode }) {
  const [loaded, setLoaded] = useState(start)
  const change = async (language: Language) => {
    setLoaded({ language, messages: await load(language) })
    document.documentElement.lang = language
  }
  return (
    <Context.Provider value={{ ...loaded, change }}>
      <InZone zone={viewerZone()}>{children}</InZone>
    </Context.Provider>
  )
}

/** English dates have the day before the month, as in Romanian. */
const LOCALES = { en: 'en-GB', ro: 'ro-RO' } as const satisfies Record<Language, string>

/** Inside, instants are shown in this time zone: a clinic's pages show the clinic's. */
export function InZone({ zone, children }: { zone: string; children: ReactNode }) {
  const { language, messages } = useLanguage()
  return (
    <IntlProvider locale={LOCALES[language]} messages={messages} timeZone={zone} onError={reportProblem}>
      {children}
    </IntlProvider>
  )
}

export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

function reportProblem(error: Error): void {
  if (import.meta.env.DEV) throw error
}

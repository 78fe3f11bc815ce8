import { useEffect } from 'react'
import { useLanguage } from '../i18n/i18n.tsx'
import { useMe } from './me.ts'

/** The page is in the language of the account at this clinic, as what the API sends is. */
export function AccountLanguage(): null {
  const { language: wanted } = useMe()
  const { language, change } = useLanguage()
  useEffect(() => {
    if (wanted !== language) void change(wanted)
  }, [wanted, language, change])
  return null
}

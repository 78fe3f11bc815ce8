import { createContext } from 'react'
import { isLanguage, type Language } from '../i18n/language.ts'

/** The e-mail address that an invitation was sent to. It is kept in memory only. */
export const Invited = createContext<string | undefined>(undefined)

interface Invitation {
  email: string | undefined
  language: Language | undefined
}

const ADDRESS = /^[^\s@]+@[^\s@]+$/
const MAX_ADDRESS_LENGTH = 254

/**
 * What the link of an invitation carries in its fragment. Any site can write such a link, so it is a suggestion only: the address
 * is filled in at the sign-in and shown nowhere else, and the language is that of the page until somebody is signed in.
 */
export function readInvitation(fragment: string): Invitation {
  const values = new URLSearchParams(fragment.replace(/^#/, ''))
  const email = values.get('email') ?? ''
  const language = values.get('language')
  return {
    email: email.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(email) ? email : undefined,
    language: isLanguage(language) ? language : undefined,
  }
}

/** Reads it once and removes it from the URL, so that neither history nor a copied URL keeps the address. */
export function takeInvitation(): Invitation {
  const { hash, pathname, search } = location
  if (/^#(email|language)=/.test(hash)) history.replaceState(history.state, '', pathname + search)
  return readInvitation(hash)
}

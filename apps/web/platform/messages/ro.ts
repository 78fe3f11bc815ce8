import { ro as organizations } from '../routes/organizations/texts.ro.ts'
import { ro as frame } from '../texts.ro.ts'
import type { platformEn } from './en.ts'

export const platformRo: typeof platformEn = {
  ...frame,
  ...organizations,
}

import { en as organizations } from '../routes/organizations/texts.en.ts'
import { en as frame } from '../texts.en.ts'

export const platformEn = {
  ...frame,
  ...organizations,
}

import type { platformEn } from './en.ts'

export const platformRo: typeof platformEn = {
  nav: { organizations: 'Organizații' },
  organizations: { title: 'Organizații' },
}

import type { en } from './texts.en.ts'

export const ro: typeof en = {
  nav: { organizations: 'Organizații' },
}

import type { portalEn } from './en.ts'

export const portalRo: typeof portalEn = {
  nav: { today: 'Azi', plan: 'Progres', visits: 'Vizite', forms: 'Formulare', me: 'Eu' },
  today: { title: 'Azi' },
}
